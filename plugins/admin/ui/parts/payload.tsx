/** What went into a call or came of it: its beginning, and how much it was. */
import { bytes, pretty } from './format.ts';
import { Code } from './small.tsx';

export interface Payload {
  content: string;
  truncated: boolean;
  original_size: number;
}

export function Body({ title, payload }: { title: string; payload: Payload | undefined }) {
  if (!payload) return null;
  return (
    <section>
      <h3>
        {title}, {bytes(payload.original_size)}
        {payload.truncated && ', its beginning'}
      </h3>
      <Code label={title} text={pretty(payload.content)} />
    </section>
  );
}
