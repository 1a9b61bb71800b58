/** Every panel with something in it, by its address and what must be in sight then. */
import type { Studio } from './studio.ts';

export interface PanelView {
  name: string;
  address: string;
  sight: string;
  /** Something of it is open. */
  opened?: boolean;
  /** A list whose rows open. */
  list?: string;
}

export const panels = ({ hosts, findingId }: Studio): readonly PanelView[] => [
  { name: 'overview', address: '', sight: 'Calls a second' },
  { name: 'instances', address: '?panel=instances', sight: 'layout_v012.ma', list: 'Instances' },
  { name: 'instance', address: `?panel=instances&instance=${hosts[0]?.id}`, sight: 'Last heartbeat', opened: true },
  {
    name: 'instance-long',
    address: `?panel=instances&instance=${hosts[3]?.id}`,
    sight: 'Last heartbeat',
    opened: true,
  },
  { name: 'calls', address: '?panel=calls&status=ok&q=count', sight: 'count_frames', list: 'Calls' },
  { name: 'call', address: '?panel=calls&call=failing-call', sight: 'Where the time went', opened: true },
  { name: 'call-long', address: '?panel=calls&call=long-call', sight: 'Where the time went', opened: true },
  { name: 'calls-none', address: '?panel=calls&q=nothing-is-called-so', sight: 'No call is like that', opened: true },
  { name: 'call-unknown', address: '?panel=calls&call=nobody', sight: 'That did not work', opened: true },
  { name: 'traces', address: '?panel=traces&sort=slow&range=1h', sight: 'count_frames', list: 'Traces' },
  { name: 'traffic', address: '?panel=traffic&leg=gateway_to_client', sight: 'tools/call', list: 'Traffic' },
  { name: 'jobs', address: '?panel=jobs', sight: 'render_frames', list: 'Jobs' },
  { name: 'events', address: '?panel=events', sight: 'serves the gateway', list: 'Events' },
  { name: 'logs', address: '?panel=logs&level=warn', sight: 'webhook', list: 'Log' },
  { name: 'tools', address: '?panel=tools&q=frames', sight: 'render_frames', list: 'Tools' },
  { name: 'tool', address: `?panel=tools&tool=maya.${hosts[0]?.short}.count_frames`, sight: 'Try it', opened: true },
  {
    name: 'tool-nested',
    address: `?panel=tools&tool=maya.${hosts[0]?.short}.place_cameras`,
    sight: 'lens',
    opened: true,
  },
  {
    ...{ name: 'tool-long', sight: 'Try it', opened: true },
    address: `?panel=tools&tool=maya.${hosts[0]?.short}.set_the_exposure_of_every_camera_set_the_exposure_of_every_c`,
  },
  { name: 'skills', address: '?panel=tools&tab=skills', sight: 'scene-audit' },
  { name: 'refused', address: '?panel=tools&tab=refused', sight: 'colour' },
  { name: 'feedback', address: '?panel=feedback&range=24h', sight: 'nothing says by whom', list: 'Findings' },
  { name: 'finding', address: `?panel=feedback&finding=${findingId}`, sight: 'svc-cli feedback route', opened: true },
  { name: 'integrations', address: '?panel=integrations', sight: 'pipeline' },
  { name: 'webhook', address: '?panel=integrations&edit=pipeline', sight: '[kept] stays', opened: true },
  { name: 'connect', address: '?panel=connect&client=cursor', sight: 'mcpServers' },
];
