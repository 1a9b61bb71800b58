/** The small parts: a badge, a text to copy, a figure, a list of facts. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'none';

const tones: Readonly<Record<string, Tone>> = {
  ...{
    available: 'ok',
    busy: 'info',
    booting: 'warn',
    stale: 'warn',
    unreachable: 'bad',
    ended: 'bad',
    shutting_down: 'warn',
  },
  ...{ completed: 'ok', running: 'info', pending: 'none', queued: 'none', failed: 'bad', cancelled: 'none' },
  ...{ interrupted: 'warn', error: 'bad', fatal: 'bad', warn: 'warn', info: 'none', debug: 'none', trace: 'none' },
  ...{ blocker: 'bad', blocked: 'bad', degraded: 'warn', workaround_found: 'info', suggestion: 'none' },
};

export const toneOf = (word: string): Tone => tones[word] ?? 'none';

export function Badge({ tone, children }: { tone?: Tone; children: string }) {
  return <span class={`badge is-${tone ?? toneOf(children)}`}>{children.replaceAll('_', ' ')}</span>;
}

export function Copy({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [said, say] = useState('');
  const copy = (): void => {
    // There is no clipboard for a page that came over plain HTTP from another machine.
    const copied = navigator.clipboard as Clipboard | undefined;
    (copied?.writeText(text) ?? Promise.reject(new Error('no clipboard'))).then(
      () => say('Copied'),
      () => say('Select it and copy by hand'),
    );
    setTimeout(() => say(''), 2000);
  };
  return (
    <button type="button" class="small" onClick={copy}>
      <span aria-live="polite">{said || label}</span>
    </button>
  );
}

/** What stands for something that may not be told. */
const leftOut = /(\[(?:redacted|[A-Z_]*REDACTED[A-Z_]*)\])/;

/** Text as it is, what was left out of it marked, with a way to take it along. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <div class="code">
      {/* What is longer than its box is scrolled by keys, too. */}
      <pre tabIndex={0} role="region" aria-label={label}>
        {text.split(leftOut).map((part, index) => (index % 2 === 0 ? part : <mark key={index}>{part}</mark>))}
      </pre>
      <Copy text={text} />
    </div>
  );
}

export function Figure({ label, tone, note, children }: FigureProps) {
  return (
    <div class={`figure ${tone ? `is-${tone}` : ''}`}>
      <dt>{label}</dt>
      <dd>
        <span class="figure-value">{children}</span>
        {note && <span class="figure-note">{note}</span>}
      </dd>
    </div>
  );
}

interface FigureProps {
  label: string;
  tone?: Tone | undefined;
  note?: ComponentChildren;
  children: ComponentChildren;
}

/** Names and values; what has none is left out. */
export function Facts({ of }: { of: readonly (readonly [string, ComponentChildren])[] }) {
  const shown = of.filter(([, value]) => ![undefined, null, '', false].includes(value as ''));
  return (
    <dl class="facts">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
