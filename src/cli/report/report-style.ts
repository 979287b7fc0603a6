// The style of a report: on light and dark screens, and on paper.
export const REPORT_STYLE = `
:root { color-scheme: light dark; --ink: #1d2330; --soft: #5b6475; --page: #fff; --line: #d9dde5; --band: #f3f5f9;
  --done: #2f8f5b; --run: #2f6fd0; --block: #c2621b; --other: #8b94a6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #a2abbc; --page: #14171d; --line: #333a47;
  --band: #1b2029; --done: #57bd85; --run: #6ea3f2; --block: #ef9a55; --other: #7d879a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem; max-width: 68rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.7rem; } h2 { margin: 2rem 0 .6rem; font-size: 1.15rem; }
.state { margin: .2rem 0 .6rem; color: var(--soft); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 1rem 0 0; }
dt { color: var(--soft); } dd { margin: 0; }
svg { display: block; width: 100%; height: auto; } svg.bar { height: .6rem; border-radius: .3rem; }
.bar .all { fill: var(--line); } .bar .part { fill: var(--done); }
svg text { font: 12px system-ui, sans-serif; fill: var(--soft); } .task text { fill: var(--ink); }
.round.even rect { fill: var(--band); } .round.odd rect { fill: none; } .tick line { stroke: var(--line); }
.task rect { fill: var(--other); } .task.done rect { fill: var(--done); } .task.running rect, .task.begun rect { fill: var(--run); }
.task.blocked rect { fill: var(--block); }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
th, td { padding: .35rem .5rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--soft); font-weight: 600; white-space: nowrap; overflow-wrap: normal; } td:first-child, .short { white-space: nowrap; }
td { overflow-wrap: break-word; } td code, td:nth-child(2) { overflow-wrap: anywhere; }
.said { margin: .15rem 0 0; color: var(--soft); font-size: .9em; } code { font-size: .85em; }
tr.warn td:first-child, p.warn { color: var(--block); } footer { margin-top: 2.5rem; color: var(--soft); font-size: .85rem; }
@media print { :root { --ink: #000; --soft: #333; --page: #fff; --line: #999; --band: #f0f0f0; --done: #2f8f5b;
  --run: #2f6fd0; --block: #b0500f; --other: #777; } body { padding: 0; max-width: none; font-size: 10.5pt; }
  rect { print-color-adjust: exact; } tr, li, svg { break-inside: avoid; } thead { display: table-header-group; } h2 { break-after: avoid; } }
`
