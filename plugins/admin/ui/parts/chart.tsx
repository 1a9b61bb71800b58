/** Values over time, drawn by uPlot in the colours of the page; what stands under the pointer is told above. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { theme } from '../shell/theme.ts';
import { when } from './format.ts';

export interface Line {
  label: string;
  /** Name of a colour of the style sheet. */
  colour: string;
  fill?: boolean;
}

interface ChartProps {
  title: string;
  /** What it shows, for who cannot see it. */
  label: string;
  lines: readonly Line[];
  /** Seconds, then the values of each line. */
  data: uPlot.AlignedData;
  unit: string;
  /** Of one value. */
  say(value: number): string;
}

const height = 150;
/** What the time axis shows. */
const seconds = 300;
const windowTo = (end: number): uPlot.Range.MinMax => [end - seconds, end];

export function Chart({ title, label, lines, data, unit, say }: ChartProps) {
  const id = useId();
  const [pointed, point] = useState<number | null>();
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const colours = theme();

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    plot.current = new uPlot(optionsOf(lines, unit, element.clientWidth, point), data, element);
    const observer = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.current?.destroy();
    };
  }, [colours]);

  useEffect(() => plot.current?.setData(data), [data]);
  const at = typeof pointed === 'number' ? pointed : undefined;
  const second = at === undefined ? undefined : data[0][at];
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>
        {title}
        <span class="note legend-row">
          {second !== undefined && <span>{when(second * 1000)}</span>}
          {lines.map((each, index) => {
            const value = at === undefined ? undefined : data[index + 1]?.[at];
            return (
              <span key={each.label} class="legend" style={{ '--swatch': `var(--${each.colour})` }}>
                {each.label}
                {at !== undefined && <span class="legend-value">{typeof value === 'number' ? say(value) : '–'}</span>}
              </span>
            );
          })}
        </span>
      </h2>
      <div class="chart" role="img" aria-label={label} ref={box} />
    </section>
  );
}

function optionsOf(
  lines: readonly Line[],
  unit: string,
  width: number,
  point: (index: number | null | undefined) => void,
): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const font = `11px ${style.getPropertyValue('--font')}`;
  const axis = {
    ...{ stroke: colour('muted'), font, ticks: { show: false } },
    grid: { stroke: colour('line'), width: 1 },
  };
  return {
    ...{ width: Math.max(width, 120), height, padding: [8, 26, 0, 0] as uPlot.Padding },
    legend: { show: false },
    cursor: { y: false, points: { size: 5 } },
    hooks: { setCursor: [({ cursor }) => point(cursor.idx)] },
    scales: {
      x: { time: true, range: (plot, _min, max) => windowTo(plot.data[0].length > 0 ? max : Date.now() / 1000) },
      y: { range: (_plot, _min, max) => [0, Math.max(max * 1.1, 1)] },
    },
    axes: [
      { ...axis, space: 70, size: 26, values: (_plot, ticks) => ticks.map(each => when(each * 1000)) },
      { ...axis, size: 56, space: 32, values: (_plot, ticks) => ticks.map(each => `${each}${unit}`) },
    ],
    series: [
      {},
      ...lines.map(each => ({
        ...{ label: each.label, stroke: colour(each.colour), width: 1.5, points: { show: false }, spanGaps: true },
        ...(each.fill && { fill: `${colour(each.colour)}22` }),
      })),
    ],
  };
}
