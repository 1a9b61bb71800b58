/** Connect: the settings that make the clients people use find this gateway. */
import { Code } from '../../parts/small.tsx';
import { isGuarded } from '../../shell/api.ts';
import type { Panel } from '../../shell/panel.ts';
import { param, setParams } from '../../shell/url.ts';
import { clients } from './clients.ts';

function View() {
  const url = `${location.origin}/mcp`;
  const header = isGuarded ? 'Bearer $SVC_TOKEN' : undefined;
  const chosen = clients.find(each => each.name === param('client')) ?? clients[0];
  return (
    <div class="body">
      <section class="card" aria-labelledby="address">
        <h2 id="address">Address</h2>
        <p>
          One gateway for every host on this machine, over MCP with streamable HTTP.{' '}
          {header
            ? 'It asks for a token: give each client one of its own with the scope “call”, in the variable SVC_TOKEN of its environment.'
            : 'It needs no key from this machine.'}
        </p>
        <Code label="Address of the gateway" text={url} />
      </section>
      <section class="card" aria-labelledby="clients">
        <h2 id="clients">Client</h2>
        <div class="row" role="group" aria-label="Clients">
          {clients.map(each => (
            <button
              key={each.name}
              type="button"
              class="toggle"
              aria-pressed={each === chosen}
              onClick={() => setParams({ client: each.name }, { replace: true })}
            >
              {each.title}
            </button>
          ))}
        </div>
        {chosen && (
          <div class="stack spaced">
            <p>{chosen.where}</p>
            <Code label={`Settings of ${chosen.title}`} text={chosen.settings(url, header)} />
          </div>
        )}
      </section>
      <section class="card" aria-labelledby="check">
        <h2 id="check">Check it</h2>
        <p>Lists the tools of every host over the same address, without a client.</p>
        <Code
          label="Command that searches"
          text={`curl -s ${location.origin}/v1/search ${header ? `-H "Authorization: ${header}" ` : ''}-H 'content-type: application/json' -H 'accept: application/json' -d '{}'`}
        />
      </section>
    </div>
  );
}

export const connect: Panel = {
  ...{ name: 'connect', title: 'Connect', group: 'Set up', View },
  icon: 'M6 10l4-4M5 7 3.5 8.5a3 3 0 0 0 4 4L9 11M11 9l1.5-1.5a3 3 0 0 0-4-4L7 5',
  about: 'Settings for the MCP clients people use.',
};
