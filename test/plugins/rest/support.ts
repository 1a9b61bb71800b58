/** REST requests exactly as written, and event streams, against a real server. */
import { request as httpRequest } from 'node:http';
import { onTestFinished } from 'vitest';
import type { ServerOptions } from '../../../plugins/index.ts';
import type { ResourceProducer } from '../../../plugins/resources/api.ts';
import { type promptApp as PromptApp, promptApp } from '../prompts/support.ts';
import type { Files } from '../skills/support.ts';

export type Json = Record<string, unknown>;
export interface RestAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  json: Json;
}

export interface RestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** `path` goes out byte for byte: no client normalises it. */
export function raw(url: string, path: string, { method = 'GET', headers = {}, body }: RestOptions = {}) {
  const { hostname, port } = new URL(url);
  return new Promise<RestAnswer>((resolve, reject) => {
    const request = httpRequest({ hostname, port, path, method, headers, agent: false }, response => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => {
        let json: Json = {};
        try {
          json = JSON.parse(text) as Json;
        } catch {}
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
      });
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** A producer that remembers what it was asked for. */
export function memo(): { producer: ResourceProducer; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    producer: {
      scheme: 'memo',
      list: () => [{ uri: 'memo://one', name: 'One', mimeType: 'text/plain' }],
      read(uri) {
        asked.push(uri);
        if (uri === 'memo://fails') throw new Error('the disk is gone');
        return uri === 'memo://none' ? undefined : [{ uri, mimeType: 'text/plain', text: `text of ${uri}` }];
      },
    },
  };
}

/** A server with the `memo` scheme. */
export async function restApp(packages: Record<string, Files> = {}, options: ServerOptions = {}) {
  const found = await promptApp(packages, options);
  const { producer, asked } = memo();
  found.app.resources.addProducer(producer);
  return { ...found, asked, get: (path: string, with_: RestOptions = {}) => raw(found.url, path, with_) };
}

/** An open event stream and what came over it. */
export async function events(url: string, path: string) {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const response = await fetch(url + path, { signal: controller.signal });
  const received = { data: [] as Json[], comments: 0, ended: false };
  const reading = (async () => {
    let text = '';
    try {
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk as Uint8Array).toString();
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          if (block.startsWith('data: ')) received.data.push(JSON.parse(block.slice(6)) as Json);
          else received.comments += 1;
        }
      }
    } catch {}
    received.ended = true;
  })();
  return { response, received, cut: () => controller.abort(), ended: reading };
}

export type App = Awaited<ReturnType<typeof PromptApp>>;
