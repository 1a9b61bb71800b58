/** Light or dark: as the system has it, until somebody chooses. */
import { effect, signal } from '@preact/signals';

export type Theme = 'light' | 'dark';

const asked = matchMedia('(prefers-color-scheme: dark)');
const stored = localStorage.getItem('svc-theme');
const chosen = signal<Theme | undefined>(stored === 'light' || stored === 'dark' ? stored : undefined);
const system = signal<Theme>(asked.matches ? 'dark' : 'light');
asked.addEventListener('change', () => {
  system.value = asked.matches ? 'dark' : 'light';
});

export const theme = (): Theme => chosen.value ?? system.value;

export function toggleTheme(): void {
  chosen.value = theme() === 'dark' ? 'light' : 'dark';
  localStorage.setItem('svc-theme', chosen.value);
}

effect(() => {
  document.documentElement.dataset.theme = theme();
});
