/** Names by which the companion and the plugin know what they ask of each other. */

/** The server has a host at the other end of a link from now on. */
export const linkOperation = 'linkHost';
/** How that link is. */
export const linkStateOperation = 'linkState';
/** Asks for a script to be run in the host. */
export const scriptQuestion = 'host-link.script';
