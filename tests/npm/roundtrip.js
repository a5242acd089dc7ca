// Round trips between tetropt's fumen code (fumen_probe) and the npm package tetris-fumen:
// what one writes the other reads, page for page, and writes again byte for byte.
// usage: node roundtrip.js FUMEN_PROBE [GAMES] [SEED]
'use strict';
const { spawnSync } = require('child_process');
const { decoder, encoder, Field } = require('tetris-fumen');

const [probe, gamesText = '3000', seedText = '1'] = process.argv.slice(2);
const games = Number(gamesText);

function run(args, input) {
  const result = spawnSync(probe, args, { input, maxBuffer: 1 << 30, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`fumen_probe ${args[0]}: ${result.stderr}`);
  return result.stdout.split('\n').filter((line) => line).map((line) => JSON.parse(line));
}

function fail(what, fumen, ours, theirs) {
  console.error(`${what}\n${fumen}\nours:   ${ours}\ntheirs: ${theirs}`);
  process.exit(1);
}

function plainPage(page) {
  const operation = page.operation && {
    type: page.operation.type,
    rotation: page.operation.rotation,
    x: page.operation.x,
    y: page.operation.y,
  };
  return {
    field: page.field.str({ reduced: false, separator: '', garbage: true }),
    operation: operation || null,
    lock: page.flags.lock,
    mirror: page.flags.mirror,
    rise: page.flags.rise,
    colorize: page.flags.colorize,
    comment: page.comment,
  };
}

function samePages(what, fumen, ours, theirs) {
  if (ours.length !== theirs.length) fail(`${what}: pages`, fumen, ours.length, theirs.length);
  for (let i = 0; i < ours.length; i += 1) {
    const a = JSON.stringify(ours[i]);
    const b = JSON.stringify(plainPage(theirs[i]));
    if (a !== b) fail(`${what}: page ${i + 1}`, fumen, a, b);
  }
}

// A small generator, so that a seed names the pages.
let state = Number(seedText) >>> 0 || 1;
function below(bound) {
  state ^= state << 13;
  state >>>= 0;
  state ^= state >>> 17;
  state ^= state << 5;
  state >>>= 0;
  return state % bound;
}

function randomField() {
  const rows = below(23);
  let text = '';
  for (let i = 0; i < rows * 10; i += 1) text += below(3) ? '_' : 'IOTSZJLX'[below(8)];
  let under = '';
  for (let i = 0; i < 10; i += 1) under += below(5) ? '_' : 'X';
  return Field.create(text, under);
}

const words = ['', 'x', 'perfect clear', '50% + 50%', 'Überraschung', 'テト譜', '🎮🎲', '<&>"\'\\', '\u0001'];

function randomPages() {
  const pages = [];
  const count = 1 + below(40);
  let comment = '';
  for (let i = 0; i < count; i += 1) {
    const page = { flags: { lock: below(4) > 0, mirror: below(9) === 0, rise: below(9) === 0, colorize: i === 0 } };
    if (i === 0 || below(3) === 0) page.field = randomField();
    if (below(3)) {
      page.operation = {
        type: 'IOTSZJL'[below(7)],
        rotation: ['spawn', 'right', 'reverse', 'left'][below(4)],
        x: 2 + below(6),
        y: 2 + below(18),
      };
    }
    // Given on every page: left out, the package may write the same comment twice.
    if (below(5) === 0) comment = words[below(words.length)];
    page.comment = comment;
    pages.push(page);
  }
  return pages;
}

// Version 110 has two rows less; the package reads it but does not write it, so it is written here:
// one page, a whole field and a piece.
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
function digitsOf(value, count) {
  let text = '';
  let rest = value;
  for (let i = 0; i < count; i += 1) {
    text += digits[rest % 64];
    rest = Math.floor(rest / 64);
  }
  return text;
}

function write110(cells, piece, rotation, position) {
  let text = 'v110@';
  for (let i = 0; i < 220; ) {
    let run = 1;
    while (i + run < 220 && cells[i + run] === cells[i]) run += 1;
    text += digitsOf((cells[i] + 8) * 220 + run - 1, 2);
    i += run;
  }
  const colour = 4;
  return text + digitsOf(((colour * 220 + position) * 4 + rotation) * 8 + piece, 3);
}

function random110() {
  const cells = Array.from({ length: 220 }, () => (below(4) ? 0 : 1 + below(8)));
  return write110(cells, 1 + below(7), below(4), (3 + below(16)) * 10 + 3 + below(4));
}

// 1. Ours, read and written by theirs.
for (const { fumen, pages } of run(['games', seedText, String(games)])) {
  const read = decoder.decode(fumen);
  samePages('written by us', fumen, pages, read);
  const again = encoder.encode(read);
  if (`v115@${again.replace(/^v115@/, '')}` !== fumen) fail('written again by them', fumen, fumen, again);
}

// 2. Theirs, read and written by us.
const written = Array.from({ length: games }, () => encoder.encode(randomPages()));
run(['read'], written.map((text) => `${text}\n`).join('')).forEach(({ fumen, pages }, i) => {
  samePages('written by them', written[i], pages, decoder.decode(written[i]));
  if (fumen !== written[i]) fail('written again by us', written[i], fumen, written[i]);
});

// 3. Other forms: addresses, d115, m115, spaces, v110, quizzes (whose text is kept as it is).
const forms = [];
for (let i = 0; i < 300; i += 1) {
  const text = encoder.encode(randomPages()).substring(5);
  forms.push(`https://example.org/?v115@${text}&x=1`, `d115@${text}`, `  m115@${text.replace(/\?/g, '? ')} `);
  forms.push(random110());
}
run(['read'], forms.map((text) => `${text}\n`).join('')).forEach(({ pages }, i) => {
  samePages('another form', forms[i], pages, decoder.decode(forms[i]));
});
const quiz = encoder.encode([
  { comment: '#Q=[](L)TOSZ;hello', operation: { type: 'L', rotation: 'spawn', x: 4, y: 0 }, flags: { lock: true } },
  { comment: '#Q=[](T)OSZ;hello', operation: { type: 'T', rotation: 'spawn', x: 4, y: 4 }, flags: { lock: true } },
]);
const [quizRead] = run(['read'], `${quiz}\n`);
if (quizRead.pages.length !== 2 || !quizRead.pages[1].comment.startsWith('#Q=')) {
  fail('quiz', quiz, JSON.stringify(quizRead), '');
}
console.log(`${games} fumens each way and ${forms.length} other forms agree`);
