/** What an answer costs a model, and what a shorter form of it saves (shape:encoding). Pure. */

/** What the JSON form and the form sent cost; tokens are estimated from UTF-8 bytes. */
export interface TokenAccounting {
  estimator: string;
  original_bytes: number;
  returned_bytes: number;
  original_tokens: number;
  returned_tokens: number;
  saved_tokens: number;
  /** With two decimals. */
  savings_pct: string;
}

/** A quarter of the bytes. */
const tokensOf = (bytes: number): number => Math.ceil(bytes / 4);

export function accounting(original_bytes: number, returned_bytes: number): TokenAccounting {
  const original_tokens = tokensOf(original_bytes);
  const returned_tokens = tokensOf(returned_bytes);
  const saved_tokens = Math.max(0, original_tokens - returned_tokens);
  return {
    estimator: 'svc-byte4-v1',
    original_bytes,
    returned_bytes,
    original_tokens,
    returned_tokens,
    saved_tokens,
    savings_pct: saved_tokens === 0 ? '0.00' : ((saved_tokens / original_tokens) * 100).toFixed(2),
  };
}
