/** CPU time of this process so far, in ms. */
export function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
