/** What stands in a panel that has nothing to show: still loading, nothing there, or something went wrong. */
import type { ComponentChildren } from 'preact';

export function Loading({ what }: { what: string }) {
  return (
    <p class="state" role="status">
      <span class="spinner" aria-hidden="true" />
      Loading {what}
    </p>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="state is-empty">
      <p class="state-title">{title}</p>
      {children && <div class="state-text">{children}</div>}
    </div>
  );
}

export function Failed({ error, retry }: { error: Error; retry?: (() => void) | undefined }) {
  return (
    <div class="state is-failed" role="alert">
      <p class="state-title">That did not work</p>
      <p class="state-text">{error.message}</p>
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
