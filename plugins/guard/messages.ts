/** What the messages of a JSON-RPC body take: to look is `read`, to do anything is `call`. */
import { isObject } from '../../schemas/loose.ts';

/** Methods that change nothing but what is told to whom. */
const reading =
  /^(initialize|ping|server\/discover|notifications\/.*|[a-z]+\/(list|get|result|templates\/list)|resources\/(read|subscribe|unsubscribe)|completion\/complete|logging\/setLevel|subscriptions\/listen)$/;

const reads = (message: unknown): boolean => {
  if (!isObject(message) || message.method === undefined) return true;
  return typeof message.method === 'string' && reading.test(message.method);
};

export const takesCall = (body: unknown): boolean => (Array.isArray(body) ? !body.every(reads) : !reads(body));
