/** Begin of the page. */
import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './style/base.css';
import './style/shell.css';
import './style/parts.css';
import { App } from './shell/app.tsx';
import { begin } from './shell/session.ts';

const root = document.getElementById('app');
if (root) render(<App />, root);
begin();
