/** The detail of one row beside its list; Escape closes it, and the focus goes back. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface DrawerProps {
  title: ComponentChildren;
  label: string;
  onClose(): void;
  children: ComponentChildren;
}

export function Drawer({ title, label, onClose, children }: DrawerProps) {
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // At once: who presses Escape as soon as it is in sight means it.
    const before = document.activeElement;
    box.current?.focus();
    return () => {
      // A list that was read anew meanwhile has another row in its place.
      const there = before?.isConnected ? before : document.querySelector('main [role=grid] [data-active]');
      if (there instanceof HTMLElement) there.focus();
    };
  }, []);
  return (
    <aside
      class="drawer"
      aria-label={label}
      tabIndex={-1}
      ref={box}
      onKeyDown={event => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <header>
        <h2>{title}</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
          <Icon path="M4 4l8 8M12 4l-8 8" />
        </button>
      </header>
      <div class="drawer-body">{children}</div>
    </aside>
  );
}
