/** What an independent reader of the exposition format finds; the package has no types of its own. */
declare module 'parse-prometheus-text-format' {
  export default function parse(
    text: string,
  ): { name: string; metrics: { labels?: Record<string, string>; value: string }[] }[];
}
