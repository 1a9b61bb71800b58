/** The state of the page that its address holds: which panel, what is searched, what is open. */
import { computed, signal } from '@preact/signals';

const search = signal(location.search);
const params = computed(() => new URLSearchParams(search.value));

addEventListener('popstate', () => {
  search.value = location.search;
});

export const param = (name: string): string => params.value.get(name) ?? '';

export type Changes = Readonly<Record<string, string | undefined>>;

const textOf = (next: URLSearchParams): string => (next.size === 0 ? location.pathname : `?${next}`);

function changed(from: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(from);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}

function move(text: string, replace: boolean): void {
  if (replace) history.replaceState(null, '', text);
  else history.pushState(null, '', text);
  search.value = location.search;
}

/** Changes members of the address; `replace` for what nobody would go back to, such as each letter of a search. */
export const setParams = (changes: Changes, { replace = false } = {}): void =>
  move(textOf(changed(params.value, changes)), replace);

/** The address of another panel. */
export const linkTo = (panel: string, changes: Changes = {}): string =>
  textOf(changed(new URLSearchParams({ panel }), changes));

/** Links to panels stay in the page. */
function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const href = link?.getAttribute('href');
  if (!href?.startsWith('?') || link?.target) return;
  event.preventDefault();
  move(href, false);
}

addEventListener('click', followLinks);
