/** Feedback on the host's main thread: who reports is the host's to say. */
import {
  type AsyncDisposer,
  createKept,
  type HostHalf,
  messageOf,
  plainCopy,
  wrongArgument,
} from '../../kernel/light.ts';
import type { FeedbackEntry, FeedbackFilter, FindingContext } from './api.ts';
import type { HostError } from './host-errors.ts';
import { identityQuestion, type Provided, type ProvidedIdentity, tokenQuestion } from './wire.ts';

export interface FeedbackToolOptions {
  /** Host type; default: `dcc_type`. */
  dcc_name?: string;
  /** Address of the gateway; default: that of `gateway_host` and `gateway_port`. */
  gateway_endpoint?: string;
  gateway_host?: string;
  /** 0: there is no gateway, and every report is refused. */
  gateway_port?: number;
  /** The id of this instance now; default: that of its row in the registry. */
  instance_id_provider?: () => unknown;
  /** What the host says of itself now; what is left out comes from the settings. Its `dcc_type` must be `dcc_name`. */
  finding_context_provider?: () => Partial<FindingContext> | Promise<Partial<FindingContext>>;
  /** The token that the gateway asks for, now; that of this user's own gateway is known. */
  gateway_token_provider?: () => string | undefined | Promise<string | undefined>;
}

export interface HostFeedback {
  /** Offers agents the tool `dcc_feedback__report`; called before the start. */
  registerFeedbackTool(options?: FeedbackToolOptions): Promise<AsyncDisposer>;
  /** The reports of this process that were accepted, newest first. */
  getFeedbackEntries(filter?: FeedbackFilter): Promise<FeedbackEntry[]>;
  /** Forgets them, and resolves with how many they were; stored feedback stays. */
  clearFeedback(): Promise<number>;
  /** Writes what went wrong in the host into its log (`log_dir`), and resolves with the path of that. */
  reportHostError(error: HostError): Promise<string>;
}

type Providers = Pick<
  FeedbackToolOptions,
  'instance_id_provider' | 'finding_context_provider' | 'gateway_token_provider'
>;

export const feedbackHalf = {
  plugin: 'feedback',
  operations: ['registerFeedbackTool', 'getFeedbackEntries', 'clearFeedback', 'reportHostError'],
  open(link): HostFeedback {
    const kept = createKept<Providers>();
    link.answer(identityQuestion, async (key): Promise<ProvidedIdentity> => {
      const { instance_id_provider, finding_context_provider } = kept.get(key as number) ?? {};
      return {
        ...(instance_id_provider && { instance_id: await provided(instance_id_provider) }),
        ...(finding_context_provider && {
          context: await provided(async () => plainCopy('the finding context', await finding_context_provider())),
        }),
      };
    });
    link.answer(tokenQuestion, async (key): Promise<Provided<unknown> | undefined> => {
      const { gateway_token_provider } = kept.get(key as number) ?? {};
      return gateway_token_provider && provided<unknown>(gateway_token_provider);
    });
    return {
      async registerFeedbackTool(options = {}) {
        const { instance_id_provider, finding_context_provider, gateway_token_provider, ...settings } = options;
        const providers = { instance_id_provider, finding_context_provider, gateway_token_provider };
        for (const [name, provider] of Object.entries(providers)) {
          if (provider !== undefined && typeof provider !== 'function') throw wrongArgument(name, 'a function');
        }
        const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
        return kept.register(providers as Providers, key => link.call('registerFeedbackTool', { ...given, key }));
      },
      getFeedbackEntries: (filter = {}) => link.call('getFeedbackEntries', filter),
      clearFeedback: () => link.call('clearFeedback', {}),
      reportHostError: async error => link.call('reportHostError', plainCopy('the error', error)),
    };
  },
} satisfies HostHalf<HostFeedback>;

async function provided<T>(provider: () => T | Promise<T>): Promise<Provided<T>> {
  try {
    return { value: await provider() };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
