/** Saves what the gateway answers as a file: asked for like everything else, so that it also works for who had to sign in. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { request } from '../shell/api.ts';

interface SaveProps {
  path: string;
  /** Of the file, unless the gateway names it. */
  name: string;
  children: ComponentChildren;
}

export function Save({ path, name, children }: SaveProps) {
  const [problem, say] = useState('');
  const save = async (): Promise<void> => {
    try {
      const answer = await request(path, { accept: '*/*' });
      const [, named] = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '') ?? [];
      const url = URL.createObjectURL(await answer.blob());
      Object.assign(document.createElement('a'), { href: url, download: named ?? name }).click();
      // The browser has begun to read it by then.
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
      say('');
    } catch (error) {
      say((error as Error).message);
    }
  };
  return (
    <>
      <button type="button" onClick={() => void save()}>
        {children}
      </button>
      {problem && <span role="alert">{problem}</span>}
    </>
  );
}
