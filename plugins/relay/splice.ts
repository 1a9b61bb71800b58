/** The tunnel's end: each connection that the relay opens becomes one to the target, and to nothing else. */
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { WebSocket } from 'ws';
import { type Channel, createMux } from './mux.ts';

/** Serves the connections that come through, until the WebSocket connection ends. */
export function serveChannels(socket: WebSocket, target: URL): void {
  createMux({ socket, opened: channel => splice(channel, dial(target)) });
}

function dial({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'https:') return connectTls({ host, port: Number(port || 443), servername: host });
  return connectTcp({ host, port: Number(port || 80), noDelay: true });
}

function splice(channel: Channel, socket: Socket): void {
  socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
    if (channel.destroyed) return;
    channel.accept();
    channel.pipe(socket).pipe(channel);
  });
  socket.on('error', () => channel.destroy());
  channel.on('close', () => socket.destroy());
}
