// SPDX-License-Identifier: GPL-3.0-or-later
// The script and the style of the timeline in report.html. Names of a trace reach the page as text only: fillText and
// textContent.
#include "core/report/html_timeline.h"

namespace rankscope {

std::string_view timeline_style() {
    static constexpr std::string_view kTimelineStyle = R"css(
.timeline ul{margin:4px 0}#timeline{border:1px solid var(--line);margin:8px 0}#timeline .tools{display:flex;flex-wrap:wrap;gap:6px;align-items:center;padding:6px 8px;background:var(--panel)}
#timeline button,#timeline input{font:inherit;color:var(--text);background:var(--bg);border:1px solid var(--line);border-radius:4px;padding:2px 9px;min-width:32px}
#timeline .view{position:relative;overflow-y:auto;max-height:min(70vh,640px)}#timeline canvas{position:sticky;top:0;left:0;display:block;touch-action:pan-y;outline-offset:-2px}
#timeline .slice{margin:0;padding:5px 8px;background:var(--panel);min-height:2.9em;overflow-wrap:anywhere}#timeline .legend{margin-left:auto}
#timeline .legend span{display:inline-block;width:11px;height:11px;margin:0 4px 0 10px}
@media print{.timeline{display:none}}
)css";
    return kTimelineStyle;
}

std::string_view timeline_script() {
    static constexpr std::string_view kTimelineScript = R"js(
(() => {
'use strict';
const box = document.getElementById('timeline'), canvas = box.querySelector('canvas'), view = box.querySelector('.view');
const spacer = box.querySelector('.height'), told = box.querySelector('.slice'), search = box.querySelector('input');
const found = box.querySelector('.found'), legend = box.querySelector('.legend');
const data = JSON.parse(document.getElementById('timeline-data').textContent);
const RULER = 20, TICKS = 18, HEAD = 20, ROW = 16, GAP = 3, FONT = '11px system-ui, "DejaVu Sans", sans-serif', LEAST = 20;
const WORDS = ['compute', 'communication', 'copy', 'memory set', 'operator', 'annotation', 'call', 'python', 'other', 'wait'];
const LIGHT = ['#0072b2', '#e69f00', '#009e73', '#66aad0', '#9fb8d1', '#cc79a7', '#d8c39a', '#c3cfaf', '#b4b8be', '#d55e00'];
const DARK = ['#0072b2', '#e69f00', '#009e73', '#4d9cc9', '#5e7fa0', '#cc79a7', '#a38f6b', '#7d8a6b', '#7a7e85', '#d55e00'];
const WHITE_TEXT = {light: new Set([0, 2, 9]), dark: new Set([0, 2, 4, 7, 9])};
const dark = matchMedia('(prefers-color-scheme: dark)');
const rows = [], heads = [];
let start, length, name, kind, total = 1, low = 0, high = 1, height = RULER, gutter = 120;
let from = 0, to = 1, selected = -1, hovered = -1, wanted = null, waiting = false;

async function unpack() {
  const packed = Uint8Array.from(atob(data.columns), c => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const n = data.slices;
  let at = 0;
  const number = () => {
    let value = 0, scale = 1, byte;
    do {
      byte = bytes[at++];
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return value;
  };
  start = new Float64Array(n);
  length = new Float64Array(n);
  name = new Uint32Array(n);
  for (let i = 0; i < n; ++i) {
    const v = number();
    start[i] = v % 2 ? -(v + 1) / 2 : v / 2; // the distance from the slice before it, until arrange()
  }
  for (let i = 0; i < n; ++i) length[i] = number();
  for (let i = 0; i < n; ++i) name[i] = number();
  kind = bytes.subarray(at, at + n);
}

// Rows in the order of the data, then placed by rank, so that the same rank of all runs stands together.
function arrange() {
  let first = 0;
  const blocks = [];
  data.runs.forEach((run, r) => {
    total = Math.max(total, run.length);
    for (const rank of run.ranks) {
      const block = {run: r, rank: rank.rank, steps: rank.steps, rows: []};
      for (const lane of rank.lanes)
        lane.rows.forEach((count, depth) => {
          let end = 0;
          for (let i = first; i < first + count; ++i) {
            start[i] += end;
            end = start[i] + length[i];
            low = Math.min(low, start[i]);
            high = Math.max(high, end);
          }
          block.rows.push({first, count, lane: lane.name, depth, run: r, rank: rank.rank, steps: rank.steps});
          first += count;
        });
      blocks.push(block);
    }
  });
  blocks.sort((a, b) => a.rank - b.rank || a.run - b.run);
  for (const block of blocks) {
    const run = data.runs.length > 1 ? ' · ' + data.runs[block.run].name : '';
    heads.push({y: height, text: 'rank ' + block.rank + run, steps: block.steps});
    height += HEAD;
    for (const row of block.rows) {
      if (row.depth === 0) height += GAP;
      row.y = height;
      height += ROW;
      rows.push(row);
    }
    height += 2 * GAP;
  }
  high = Math.max(high, total);
  to = total;
}

const width = () => view.clientWidth;
const scale = () => (width() - gutter) / (to - from);
const x_of = t => gutter + (t - from) * scale();
const t_of = x => from + (x - gutter) / scale();

function time_text(ns) {
  const a = Math.abs(ns), [unit, by] = a >= 1e9 ? ['s', 1e9] : a >= 1e6 ? ['ms', 1e6] : a >= 1e3 ? ['µs', 1e3] : ['ns', 1];
  return +(ns / by).toPrecision(4) + ' ' + unit;
}

/// The first slice of the row that ends after the time.
function first_after(row, time) {
  let low = row.first, high = row.first + row.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (start[middle] + length[middle] > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

function draw() {
  waiting = false;
  const w = width(), h = Math.min(height, view.clientHeight || height), ratio = window.devicePixelRatio || 1;
  if (w < 50) return;
  gutter = Math.min(150, w / 4);
  canvas.style.width = w + 'px';
  canvas.style.height = h + 'px';
  if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
    canvas.width = Math.round(w * ratio);
    canvas.height = Math.round(h * ratio);
  }
  const css = getComputedStyle(document.documentElement), colour = key => css.getPropertyValue('--' + key).trim();
  const theme = dark.matches ? 'dark' : 'light', fill = dark.matches ? DARK : LIGHT;
  const c = canvas.getContext('2d');
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.fillStyle = colour('bg');
  c.fillRect(0, 0, w, h);
  c.font = FONT;
  c.textBaseline = 'middle';
  const top = view.scrollTop, k = scale(), letter = c.measureText('n').width;
  c.save();
  c.beginPath();
  c.rect(gutter, 0, w - gutter, h);
  c.clip();
  for (const row of rows) {
    const y = row.y - top;
    if (y + ROW < RULER || y > h) continue;
    c.fillStyle = colour('line');
    for (const [, begin, end] of row.steps)
      for (const t of [begin, end]) c.fillRect(Math.round(x_of(t)), y - GAP, 1, ROW + GAP);
    const last = row.first + row.count;
    for (let i = first_after(row, from); i < last && start[i] < to;) {
      const x = x_of(start[i]), wide = length[i] * k;
      c.globalAlpha = wanted && !wanted.has(name[i]) ? 0.18 : 1;
      c.fillStyle = fill[kind[i]];
      if (wide < 1) { // what follows in the same pixel is not seen; go on behind it
        const left = Math.floor(x);
        c.fillRect(left, y, 1, ROW - 1);
        const next = first_after(row, t_of(left + 1));
        i = next > i ? next : i + 1;
        continue;
      }
      const left = Math.max(x, gutter - 1), right = Math.min(x + wide, w + 1);
      c.fillRect(left, y, Math.max(1, right - left - (wide > 3 ? 0.5 : 0)), ROW - 1);
      const letters = Math.floor((right - left - 6) / letter);
      if (letters > 2) {
        const text = data.names[name[i]];
        c.fillStyle = WHITE_TEXT[theme].has(kind[i]) ? '#fff' : '#000';
        c.save();
        c.beginPath();
        c.rect(left, y, right - left - 2, ROW);
        c.clip();
        c.fillText(text.slice(0, letters * 2), left + 3, y + ROW / 2);
        c.restore();
      }
      ++i;
    }
    c.globalAlpha = 1;
    for (const [slice, line] of [[hovered, 1], [selected, 2]])
      if (slice >= row.first && slice < last) {
        c.strokeStyle = colour('text');
        c.lineWidth = line;
        c.strokeRect(x_of(start[slice]), y, Math.max(2, length[slice] * k), ROW - 1);
      }
  }
  c.restore();
  c.fillStyle = colour('bg');
  c.fillRect(0, 0, gutter, h);
  c.save();
  c.beginPath();
  c.rect(0, RULER, gutter - 4, h);
  c.clip();
  for (const row of rows) {
    const y = row.y - top;
    if (row.depth > 0 || y + ROW < RULER || y > h) continue;
    c.fillStyle = colour('dim');
    c.fillText(row.lane, 10, y + ROW / 2);
  }
  c.restore();
  for (const head of heads) {
    const y = head.y - top;
    if (y + HEAD < RULER || y > h) continue;
    c.fillStyle = colour('panel');
    c.fillRect(0, y, w, HEAD - 2);
    c.fillStyle = colour('text');
    c.fillText(head.text, 6, y + HEAD / 2);
    const titled = c.measureText(head.text).width;
    c.fillStyle = colour('dim');
    for (const [number, begin, end] of head.steps) { // each rank starts its steps itself
      const x = Math.max(x_of(begin), gutter, 18 + titled), text = 'step ' + number;
      if (begin >= from) c.fillRect(Math.round(x_of(begin)), y, 1, HEAD - 2);
      if (Math.min(x_of(end), w) - x > c.measureText(text).width + 6) c.fillText(text, x + 3, y + HEAD / 2);
    }
  }
  c.fillStyle = colour('panel');
  c.fillRect(0, 0, w, RULER);
  c.fillStyle = colour('dim');
  const least = 90 / k, power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map(f => f * power).find(s => s >= least);
  for (let t = Math.ceil(from / step) * step; t <= to; t += step) {
    const x = x_of(t);
    if (x < gutter) continue;
    c.fillRect(x, TICKS - 6, 1, 6);
    c.fillText(time_text(t), x + 3, TICKS / 2 + 1);
  }
  c.fillText(time_text(to - from) + ' shown', 6, TICKS / 2 + 1);
}

/// The view scrolls as if all rows were in it; the canvas is as high as the view.
function resized() {
  view.style.height = height + 'px'; // the style has the limit
  spacer.style.height = Math.max(0, height - view.clientHeight) + 'px';
  redraw();
}

function redraw() {
  if (!waiting) {
    waiting = true;
    requestAnimationFrame(draw);
  }
}

function show(a, b) {
  const all = high - low, span = Math.min(Math.max(b - a, LEAST), all * 1.02), middle = (a + b) / 2;
  from = Math.min(Math.max(middle - span / 2, low - 0.01 * all), high + 0.01 * all - span);
  to = from + span;
  redraw();
}
const zoom = (by, at = (from + to) / 2) => show(at - (at - from) * by, at + (to - at) * by);
const move = by => show(from + by, to + by);

function slice_at(x, y) {
  if (x < gutter || y < RULER) return -1;
  const row = rows.find(r => y + view.scrollTop >= r.y && y + view.scrollTop < r.y + ROW);
  if (!row) return -1;
  const near = 2 / scale(), t = t_of(x), i = first_after(row, t - near);
  return i < row.first + row.count && start[i] <= t + near ? i : -1;
}

function tell() {
  const i = hovered >= 0 ? hovered : selected;
  if (i < 0) {
    told.textContent = data.slices.toLocaleString('en') + ' slices';
    return;
  }
  const row = rows.find(r => i >= r.first && i < r.first + r.count);
  const run = data.runs.length > 1 ? data.runs[row.run].name + ', ' : '';
  told.textContent = data.names[name[i]] + ' — ' + time_text(length[i]) + ' ' + WORDS[kind[i]] + ', ' + run + 'rank ' +
    row.rank + ', ' + row.lane + ', at ' + time_text(start[i]) + ' (' + time_text(data.runs[row.run].begin + start[i]) +
    ' of the run)';
}

function select(i) {
  selected = i;
  hovered = -1;
  if (i >= 0 && (start[i] + length[i] < from || start[i] > to)) move(start[i] + length[i] / 2 - (from + to) / 2);
  tell();
  redraw();
}

function beside(by) {
  const row = rows.find(r => selected >= r.first && selected < r.first + r.count);
  if (row) select(Math.min(Math.max(selected + by, row.first), row.first + row.count - 1));
}

const keys = {
  ArrowLeft: () => move(-0.15 * (to - from)), ArrowRight: () => move(0.15 * (to - from)),
  ArrowUp: () => { view.scrollTop -= 3 * ROW; }, ArrowDown: () => { view.scrollTop += 3 * ROW; },
  PageUp: () => { view.scrollTop -= view.clientHeight / 2; }, PageDown: () => { view.scrollTop += view.clientHeight / 2; },
  '+': () => zoom(0.6), '=': () => zoom(0.6), '-': () => zoom(1 / 0.6), '_': () => zoom(1 / 0.6),
  '0': () => show(0, total), Home: () => show(0, total), Escape: () => select(-1), '[': () => beside(-1), ']': () => beside(1),
  Enter: () => { if (selected >= 0) show(start[selected] - length[selected], start[selected] + 2 * length[selected]); }
};
canvas.addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey || !keys[e.key]) return;
  e.preventDefault();
  keys[e.key]();
});
canvas.addEventListener('wheel', e => {
  if (!e.ctrlKey && document.activeElement !== canvas) return; // the page scrolls
  e.preventDefault();
  if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) move((e.deltaX || e.deltaY) / scale());
  else zoom(Math.exp(Math.max(-1, Math.min(1, e.deltaY / 300))), t_of(e.offsetX));
}, {passive: false});

const fingers = new Map();
let dragged = false;
canvas.addEventListener('pointerdown', e => {
  fingers.set(e.pointerId, {x: e.offsetX, y: e.offsetY});
  canvas.setPointerCapture(e.pointerId);
  if (fingers.size === 1) dragged = false;
});
canvas.addEventListener('pointermove', e => {
  const finger = fingers.get(e.pointerId);
  if (!finger) {
    const over = slice_at(e.offsetX, e.offsetY);
    if (over !== hovered) {
      hovered = over;
      tell();
      redraw();
    }
    return;
  }
  const other = [...fingers].find(([id]) => id !== e.pointerId);
  if (other) { // two fingers: their times stay below them
    const before = Math.abs(finger.x - other[1].x), after = Math.abs(e.offsetX - other[1].x);
    if (before > 8 && after > 8) zoom(before / after, t_of(other[1].x));
    dragged = true;
  } else {
    if (Math.abs(e.offsetX - finger.x) + Math.abs(e.offsetY - finger.y) < 3 && !dragged) return;
    dragged = true;
    move((finger.x - e.offsetX) / scale());
    if (e.pointerType === 'mouse') view.scrollTop += finger.y - e.offsetY;
  }
  finger.x = e.offsetX;
  finger.y = e.offsetY;
});
const lift = e => {
  if (fingers.delete(e.pointerId) && !dragged && e.type === 'pointerup') select(slice_at(e.offsetX, e.offsetY));
};
canvas.addEventListener('pointerup', lift);
canvas.addEventListener('pointercancel', lift);
canvas.addEventListener('pointerleave', () => {
  hovered = -1;
  tell();
  redraw();
});
for (const button of box.querySelectorAll('button'))
  button.addEventListener('click', () => ({in: () => zoom(0.6), out: () => zoom(1 / 0.6), all: () => show(0, total)})[button.dataset.do]());
search.addEventListener('input', () => {
  const text = search.value.toLowerCase();
  wanted = text ? new Set(data.names.flatMap((n, i) => n.toLowerCase().includes(text) ? [i] : [])) : null;
  found.textContent = wanted ? name.reduce((sum, n) => sum + (wanted.has(n) ? 1 : 0), 0).toLocaleString('en') + ' slices' : '';
  redraw();
});
view.addEventListener('scroll', redraw);
new ResizeObserver(resized).observe(view);

function show_legend() {
  const seen = new Set(kind);
  legend.replaceChildren();
  WORDS.forEach((word, i) => {
    if (!seen.has(i)) return;
    const key = document.createElement('span');
    key.style.background = (dark.matches ? DARK : LIGHT)[i];
    legend.append(key, word);
  });
}
dark.addEventListener('change', () => {
  show_legend();
  redraw();
});

unpack().then(() => {
  arrange();
  resized();
  show_legend();
  tell();
  draw();
  box.dataset.ready = rows.length;
}).catch(problem => {
  told.textContent = 'The timeline cannot be shown: ' + problem.message;
});
})();
)js";
    return kTimelineScript;
}

std::string_view timeline_script_hash() {
    return "sha256-oVwF1eLoaUfQuPhpWDykMP8Xcxge0SUBU+QNA+t6cag="; // of the text above; a test says what it has to be
}

} // namespace rankscope
