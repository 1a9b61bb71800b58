/** Values over time, drawn by uPlot in the colours of the page. */
import { useEffect, useRef } from 'preact/hooks';
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
  /** What it shows, for who cannot see it. */
  label: string;
  lines: readonly Line[];
  /** Seconds, then the values of each line. */
  data: uPlot.AlignedData;
  unit: string;
}

const height = 150;
/** What the time axis shows. */
const seconds = 300;

export function Chart({ label, lines, data, unit }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const colours = theme();

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    plot.current = new uPlot(optionsOf(lines, unit, element.clientWidth), data, element);
    const observer = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.current?.destroy();
    };
  }, [colours]);

  useEffect(() => plot.current?.setData(data), [data]);
  return <div class="chart" role="img" aria-label={label} ref={box} />;
}

function optionsOf(lines: readonly Line[], unit: string, width: number): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const font = `11px ${style.getPropertyValue('--font')}`;
  const axis = {
    ...{ stroke: colour('muted'), font, ticks: { show: false } },
    grid: { stroke: colour('line'), width: 1 },
  };
  return {
    ...{ width: Math.max(width, 120), height, padding: [8, 8, 0, 0] as uPlot.Padding },
    legend: { show: false },
    cursor: { y: false, points: { size: 5 } },
    scales: {
      x: { time: true, range: (_plot, _min, max) => [max - seconds, max] },
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
