/** The frame of the page: what there is on the left, the chosen panel beside it. */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { panels } from '../panels/index.ts';
import { Icon } from '../parts/icon.tsx';
import { connection, version } from './live.ts';
import type { Panel } from './panel.ts';
import { session, signOut } from './session.ts';
import { SignIn } from './sign-in.tsx';
import { theme, toggleTheme } from './theme.ts';
import { linkTo, param } from './url.ts';

const menuOpen = signal(false);

const first = panels[0] as Panel;
const current = (): Panel => panels.find(each => each.name === param('panel')) ?? first;

export const App = () => (session.value.state === 'in' ? <Shell /> : <SignIn />);

function Shell() {
  const panel = current();
  const { View } = panel;
  const main = useRef<HTMLElement>(null);
  const before = useRef(panel.name);
  useEffect(() => {
    document.title = `${panel.title} · svc gateway`;
    if (before.current === panel.name) return;
    before.current = panel.name;
    menuOpen.value = false;
    // Who reads by ear hears where they are.
    main.current?.focus({ preventScroll: true });
  }, [panel]);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to the panel
      </a>
      <Side panel={panel} />
      <main id="main" class="main" tabIndex={-1} ref={main} aria-labelledby="panel-title">
        <header class="head">
          <button
            type="button"
            class="icon-button menu-button"
            aria-label="Panels"
            aria-expanded={menuOpen.value}
            aria-controls="side"
            onClick={() => {
              menuOpen.value = !menuOpen.value;
            }}
          >
            <Icon path="M2 4h12M2 8h12M2 12h12" />
          </button>
          <h1 id="panel-title">{panel.title}</h1>
          <p class="about">{panel.about}</p>
          <Connection />
        </header>
        <View key={panel.name} />
      </main>
    </div>
  );
}

function Side({ panel }: { panel: Panel }) {
  const groups = [...new Set(panels.map(each => each.group))];
  return (
    <nav id="side" class={`side ${menuOpen.value ? 'is-open' : ''}`} aria-label="Panels">
      <a class="brand" href={linkTo(first.name)}>
        <Icon path="M1.5 8h3.2l1.7-4.5 2.2 9 1.6-4.5h4.3" />
        <span>svc</span>
        <span class="brand-of">gateway</span>
      </a>
      {groups.map(group => (
        <section key={group}>
          <h2>{group}</h2>
          <ul>
            {panels
              .filter(each => each.group === group)
              .map(each => (
                <li key={each.name}>
                  <a href={linkTo(each.name)} aria-current={each === panel ? 'page' : undefined}>
                    <Icon path={each.icon} />
                    {each.title}
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
      <SignedIn />
      <footer>
        <button type="button" class="quiet" onClick={toggleTheme}>
          <Icon path="M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Zm0 0v12" />
          {theme() === 'dark' ? 'Light theme' : 'Dark theme'}
        </button>
        <span class="version">{version.value && `v${version.value}`}</span>
      </footer>
    </nav>
  );
}

function SignedIn() {
  const { who } = session.value;
  if (!who) return null;
  return (
    <section class="who" aria-label="Signed in">
      <p>
        <span class="who-label">{who.label}</span>
        <span class="muted">{who.scopes.join(', ')}</span>
      </p>
      <button type="button" class="quiet" onClick={() => signOut()}>
        Sign out
      </button>
    </section>
  );
}

const words = { connecting: 'Connecting', live: 'Live', lost: 'Gateway away, trying again' } as const;

function Connection() {
  const state = connection.value;
  return (
    <p class={`connection is-${state}`} role="status">
      <span class="dot" aria-hidden="true" />
      {words[state]}
    </p>
  );
}
