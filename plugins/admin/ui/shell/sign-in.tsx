/** What stands in place of the panels until somebody has signed in. */
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { session, signIn } from './session.ts';

export function SignIn() {
  const { state, problem } = session.value;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = 'Sign in · svc gateway';
    if (state === 'out') field.current?.focus();
  }, [state]);
  return (
    <main class="sign-in">
      <form
        class="card"
        aria-labelledby="sign-in-title"
        onSubmit={event => {
          event.preventDefault();
          void signIn(field.current?.value ?? '');
        }}
      >
        <h1 id="sign-in-title">
          <Icon path="M1.5 8h3.2l1.7-4.5 2.2 9 1.6-4.5h4.3" /> Sign in to the gateway
        </h1>
        <p>This gateway asks for a token. The page takes one with the scope “admin”.</p>
        <div class="field">
          <label for="token">Token</label>
          <input
            ref={field}
            id="token"
            type="password"
            autocomplete="current-password"
            spellcheck={false}
            aria-invalid={problem !== undefined}
            aria-describedby="token-about"
          />
          <small id="token-about">
            As it was given to you. This tab keeps it until you sign out or close it; it is sent to this gateway alone.
          </small>
        </div>
        {problem && (
          <p class="notice is-bad" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" class="primary" disabled={state === 'checking'}>
          {state === 'checking' ? 'Signing in' : 'Sign in'}
        </button>
        <details>
          <summary>Where do I get one?</summary>
          <p>
            From whoever runs the gateway: tokens stand in <code>auth_tokens</code> or in the file{' '}
            <code>auth_tokens_file</code>, with <code>scopes: [admin]</code>. As the gateway's own user on its machine
            you can take the key in <code>keys/</code> below its registry directory; it is good until the gateway ends.
          </p>
        </details>
      </form>
    </main>
  );
}
