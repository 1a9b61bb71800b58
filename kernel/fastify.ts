/** The package's `svc/fastify`: the copy of Fastify that every server runs on, to be shared by plugins of other packages. */
export { default, errorCodes, fastify } from 'fastify';
