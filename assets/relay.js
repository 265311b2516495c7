// Runs once, when the page's relay element has been drawn: turns clicks on citations and on
// elements with data-act into events of the application. `element`, `trigger` and `upload` come
// from Gradio; ACTIONS lists the events the application listens to.
const LINK = /^#(cite|source|page|note)-(?:(?:exact|partial)-)?(.+?)(?:-(\d+))?$/;
const THING = /^#(?:recall|memory)-(asked|loaded|noted)-(.+)$/;
const BOX = /^#((found|used)-(.+))$/; // what is put under an answer: how it was found, what it used
const OTHER = /^#other-(documents|memory)-(.+)$/;

function actionOf(target) {
  const button = target.closest('[data-act]:not(select)');
  if (button && !button.disabled) {
    const { act, ...data } = button.dataset;
    return [act, { ...data, ...fieldsAround(button) }];
  }
  const link = target.closest('a[href^="#"]');
  return link && actionOfLink(decodeURIComponent(link.getAttribute('href')));
}

function actionOfLink(href) {
  const other = OTHER.exec(href);
  if (other) return ['ask_other_way', { route: other[1], question: other[2] }];
  const thing = THING.exec(href);
  if (thing) return actionOfThing(...thing.slice(1));
  const match = LINK.exec(href);
  if (!match) return null;
  const [, kind, id, number] = match;
  if (kind === 'note') return ['save_note', { question: number ? `${id}-${number}` : id }];
  if (kind === 'page') return ['open_page', { document: id, page: number }];
  return ['open_citation', { question: id, number }];
}

// What is remembered: a question leads to its answer, a document to its pages, a note to Notes.
function actionOfThing(kind, id) {
  lookFor = kind === 'loaded' ? null : { kind, id, until: Date.now() + LOOK_FOR };
  if (kind === 'asked') return ['show_answer', { question: id }];
  if (kind === 'loaded') return ['read_document', { document: id }];
  return ['go', { tab: 'notes' }];
}

const LOOK_FOR = 10_000; // milliseconds; what has not come by then is not there
let lookFor = null;

function showThing() {
  if (!lookFor || Date.now() > lookFor.until) return;
  const name = CSS.escape(lookFor.id);
  const node =
    lookFor.kind === 'noted'
      ? document.querySelector(`[data-note-row="${name}"]`)
      : document.querySelector(`a[href="#found-${name}"]`)?.closest('.message');
  if (!node || !node.checkVisibility()) return;
  lookFor = null;
  if (node.closest('.panel-wrap')) bringUp(node);
  else node.scrollIntoView({ block: 'center' });
  node.classList.add('looked-for');
  setTimeout(() => node.classList.remove('looked-for'), 2500);
}

let clicked = 0;
const OPENS_EVIDENCE = ['open_citation', 'open_page', 'read_document', 'show_answer'];

function onClick(event) {
  const closer = event.target.closest('[data-close="evidence"]');
  if (closer) return openSheet(false);
  if (event.target.closest('[data-toggle="theme"]')) return toggleTheme();
  const copier = event.target.closest('[data-copy]');
  if (copier) return copy(copier);
  const canceller = event.target.closest('[data-cancel]');
  if (canceller) return cancel(canceller.closest('[data-form]'));
  const box = BOX.exec(event.target.closest('a[href^="#"]')?.getAttribute('href') ?? '');
  if (box) {
    event.preventDefault();
    return toggleBox(...box.slice(1));
  }
  for (const open of document.querySelectorAll('details.confirm[open], .chip-details[open]')) {
    if (!open.contains(event.target)) fold(open, false);
  }
  const summary = event.target.closest('details[data-key] > summary');
  if (summary) {
    event.preventDefault();
    return fold(summary.parentElement, !summary.parentElement.open);
  }
  const action = actionOf(event.target);
  if (!action) return;
  event.preventDefault();
  const confirmed = event.target.closest('details.confirm');
  if (confirmed) fold(confirmed, false);
  const editor = event.target.closest('details.edit');
  if (editor) leave(editor);
  const [act, data] = action;
  if (!ACTIONS.includes(act)) return;
  openSheet(OPENS_EVIDENCE.includes(act));
  tell(act, data);
}

function tell(act, data) {
  clicked = Math.max(clicked + 1, Date.now()); // tells the later of two clicks, also over tabs
  trigger(act, { ...data, order: clicked });
}

// --- how an answer was found and what it used: asked for when opened, and put under the answer ---
// The chat draws its messages anew; what is open is put back under the link it belongs to.
const LONGEST_WAIT = 30_000; // milliseconds
const ASKED_BY = { found: 'explain', used: 'show_used' };
const opened = new Map(); // name of the link: { kind, question, html, stamp } as last drawn
let foundLanguage = '';

function toggleBox(name, kind, question) {
  if (opened.has(name)) opened.delete(name);
  else {
    const entry = { kind, question, html: '', stamp: '' };
    opened.set(name, entry);
    tell(ASKED_BY[kind], { question });
    setTimeout(() => {
      if (entry.html || opened.get(name) !== entry) return;
      opened.delete(name); // it did not come, and a notice says why
      drawBoxes();
    }, LONGEST_WAIT);
  }
  drawBoxes();
}

function takeBoxes() {
  for (const kind of Object.keys(ASKED_BY)) {
    const drawn = document.querySelector(`#${kind} [data-explains]`);
    const entry = drawn && opened.get(`${kind}-${drawn.dataset.explains}`);
    if (!entry || entry.stamp === drawn.dataset.stamp) continue;
    entry.stamp = drawn.dataset.stamp;
    entry.html = drawn.innerHTML;
  }
}

function drawBoxes() {
  for (const link of document.querySelectorAll('#conversation a[href^="#"]')) {
    const named = BOX.exec(link.getAttribute('href'));
    if (!named) continue;
    const entry = opened.get(named[1]);
    const state = String(Boolean(entry));
    if (link.getAttribute('aria-expanded') !== state) link.setAttribute('aria-expanded', state);
    const kind = `${named[2]}-box`;
    let box = link.parentElement.querySelector(`.${kind}`);
    if (!entry) {
      box?.remove();
      continue;
    }
    if (!box) {
      box = document.createElement('div');
      box.className = kind;
      link.parentElement.append(box);
    }
    if (box.dataset.stamp === entry.stamp) continue;
    box.dataset.stamp = entry.stamp;
    box.innerHTML = entry.html;
    // Later, since the chat goes to its end when it grows.
    if (entry.html && !entry.seen) setTimeout(() => bringUp(link), 150);
    entry.seen = Boolean(entry.html);
  }
}

// The conversation scrolls in itself on a wide screen; the page around it stays where it is.
function bringUp(node) {
  const list = node.closest('.panel-wrap');
  if (list && list.scrollHeight > list.clientHeight) {
    list.scrollTop += node.getBoundingClientRect().top - list.getBoundingClientRect().top - 8;
  }
}

// A question that is asked is brought into view, with its answer below it. On a narrow screen the
// whole page scrolls; there it is left where it is when the conversation is drawn at first.
let asked = 0;

function showQuestion() {
  const questions = document.querySelectorAll('#conversation .message.user');
  const before = asked;
  asked = questions.length;
  if (asked <= before) return;
  const last = questions[asked - 1];
  const list = last.closest('.panel-wrap');
  if (list && list.scrollHeight > list.clientHeight) list.scrollTop = list.scrollHeight;
  else if (before && matchMedia('(max-width: 860px)').matches) last.scrollIntoView();
}

function translateFound(language) {
  if (foundLanguage && foundLanguage !== language) {
    for (const { kind, question } of opened.values()) tell(ASKED_BY[kind], { question });
  }
  foundLanguage = language;
}

// --- copying a quote ----------------------------------------------------------------------------

async function copy(button) {
  const text = document.getElementById(button.dataset.copy).textContent;
  if (navigator.clipboard) await navigator.clipboard.writeText(text);
  else copyOldWay(text); // a page that does not come over https
  const label = button.querySelector('span');
  const before = label.textContent;
  if (before === button.dataset.copied) return;
  label.textContent = button.dataset.copied;
  setTimeout(() => {
    if (label.textContent === button.dataset.copied) label.textContent = before;
  }, 2000);
}

function copyOldWay(text) {
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

// What the reader has opened or closed stays so when the server draws around it anew.
const folds = new Map();

function fold(details, open) {
  details.open = open;
  if (details.dataset.key) folds.set(details.dataset.key, open);
}

function keepFolds() {
  for (const details of document.querySelectorAll('details[data-key]')) {
    const wish = folds.get(details.dataset.key);
    if (wish !== undefined && details.open !== wish) details.open = wish;
  }
}

// --- forms: what is written or ticked around a button goes with its click -----------------------
// A button with `data-sets` gives a field its value first, so that the next click has it as well.
function fieldsAround(button) {
  const fields = {};
  const { sets, value: given } = button.dataset;
  if (sets) button.closest('[data-form]').querySelector(`[name="${sets}"]`).value = given;
  for (const field of button.closest('[data-form]')?.querySelectorAll('[name]') ?? []) {
    const { name, value } = field;
    if (field.type !== 'checkbox') fields[name] = value;
    else {
      fields[name] = (fields[name] ?? '') + (field.checked ? `${value} ` : '');
      fields[`${name}_all`] = `${fields[`${name}_all`] ?? ''}${value} `;
    }
  }
  return fields;
}

// What is not sent yet stays when the server draws around it anew. Gradio changes elements where they
// stand: a field that shows something else than before begins with that.
const drafts = new Map();
const shownIn = new WeakMap();

function keepDraft(field) {
  const name = field.dataset?.draft;
  if (name) drafts.set(name, field.type === 'checkbox' ? field.checked : field.value);
}

function keepDrafts() {
  for (const field of document.querySelectorAll('[data-draft], [data-shows]')) {
    const { draft, shows } = field.dataset;
    const part = field.type === 'checkbox' ? 'checked' : 'value';
    const begins = shownIn.get(field) !== (draft ?? shows);
    shownIn.set(field, draft ?? shows);
    const wish = drafts.get(draft) ?? (begins ? asDrawn(field) : undefined);
    if (wish !== undefined && field[part] !== wish) field[part] = wish;
  }
}

function asDrawn(field) {
  if (field.type === 'checkbox') return field.defaultChecked;
  if (field.type !== 'select-one') return field.defaultValue;
  return (field.querySelector('option[selected]') ?? field.options[0]).value;
}

function leave(editor) {
  for (const field of editor.querySelectorAll('[data-draft]')) drafts.delete(field.dataset.draft);
  fold(editor, false);
}

function cancel(form) {
  for (const field of form.querySelectorAll('[name]')) field.value = field.defaultValue;
  leave(form.closest('details'));
}

// On a narrow screen the evidence is a sheet over the conversation. The tab it stands in is drawn
// only when it is opened for the first time.
let sheetOpen = false;

function openSheet(open) {
  sheetOpen = open;
  document.getElementById('evidence-column')?.classList.toggle('open', sheetOpen);
}

function toggleTheme() {
  const dark = document.body.classList.toggle('dark');
  localStorage.setItem('pdf-learning-assistant.theme', dark ? 'dark' : 'light');
}

function applyTheme() {
  const wish = localStorage.getItem('pdf-learning-assistant.theme');
  if (wish) document.body.classList.toggle('dark', wish === 'dark');
}

// The arrow keys go from tab to tab, as in every list of tabs.
function onKey(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step || event.target.getAttribute('role') !== 'tab') return;
  const tabs = Array.from(event.target.parentElement.querySelectorAll('[role="tab"]'));
  tabs.at((tabs.indexOf(event.target) + step) % tabs.length).focus();
}

// --- files ------------------------------------------------------------------------------------

function randomName() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') + '.upload';
}

async function send(file) {
  const zone = document.querySelector('.drop-zone');
  const row = document.createElement('p');
  row.textContent = zone.dataset.sending.replace('{name}', file.name);
  zone.querySelector('.sending').append(row);
  try {
    const secret = new File([file], randomName(), { type: 'application/octet-stream' });
    const { path } = await upload(secret);
    row.remove();
    trigger('sent', { path, name: file.name });
  } catch (error) {
    row.className = 'failed';
    row.textContent = zone.dataset.failed.replace('{name}', file.name);
  }
}

function sendAll(files) {
  const zone = document.querySelector('.drop-zone');
  zone.querySelectorAll('.sending .failed').forEach((row) => row.remove());
  for (const file of files) {
    if (file.size > Number(zone.dataset.maxBytes)) trigger('too_large', { name: file.name });
    else send(file);
  }
}

function onDrag(event) {
  const zone = document.querySelector('.drop-zone');
  if (!zone || !event.dataTransfer || !Array.from(event.dataTransfer.types).includes('Files')) return;
  event.preventDefault();
  zone.classList.toggle('dragging', event.type === 'dragover');
  if (event.type === 'drop') sendAll(event.dataTransfer.files);
}

function onChange(event) {
  const chooser = event.target.closest('select[data-act]');
  if (chooser) {
    const { act, ...data } = chooser.dataset;
    if (ACTIONS.includes(act)) tell(act, { ...data, ...fieldsAround(chooser) });
  }
  if (event.target.id !== 'file-input') return;
  sendAll(event.target.files);
  event.target.value = '';
}

// --- what the server cannot know: the reader's own time, and what is in view --------------------

function localTime(node) {
  const moment = new Date(node.getAttribute('datetime'));
  const time = node.classList.contains('day') ? undefined : 'short';
  const month = node.classList.contains('month');
  const options = month ? { year: 'numeric', month: 'long' } : { dateStyle: 'medium', timeStyle: time };
  node.textContent = moment.toLocaleString(document.documentElement.lang || undefined, options);
  node.dataset.local = 'yes';
}

function showHighlight(image) {
  image.dataset.shown = 'yes';
  const pages = image.closest('.pages');
  if (!pages) return;
  const place = () => {
    const top = image.offsetTop - pages.offsetTop + image.clientHeight * Number(image.dataset.mark);
    pages.scrollTop = top - pages.clientHeight / 3;
  };
  if (image.complete) place();
  else image.addEventListener('load', place, { once: true });
}

function showFirstProof(mark) {
  mark.dataset.shown = 'yes';
  const pages = mark.closest('.pages');
  if (!pages || pages.querySelector('[data-first-proof]') !== mark) return;
  const below = mark.getBoundingClientRect().top - pages.getBoundingClientRect().top;
  pages.scrollTop += below - pages.clientHeight / 3;
}

let placeShown = '';

function showPlace(pages) {
  if (placeShown === pages.dataset.place) return;
  placeShown = pages.dataset.place;
  pages.scrollTop = 0;
  pages.querySelectorAll('[data-shown]').forEach((node) => delete node.dataset.shown);
  const here = document.querySelector('#outline [aria-current]');
  const list = here?.closest('ol');
  if (!list) return;
  const below = here.getBoundingClientRect().top - list.getBoundingClientRect().top;
  if (below < 0 || below > list.clientHeight - here.clientHeight) {
    list.scrollTop += below - list.clientHeight / 3;
  }
}

function lookAround() {
  keepFolds();
  keepDrafts();
  takeBoxes();
  drawBoxes();
  showQuestion();
  showThing();
  openSheet(sheetOpen);
  const head = document.querySelector('.head[data-language]');
  if (head) {
    document.documentElement.lang = head.dataset.language === 'zh' ? 'zh-CN' : 'en';
    const title = head.querySelector('h1').textContent;
    if (document.title !== title) document.title = title;
    translateFound(head.dataset.language);
  }
  document.querySelectorAll('time[datetime]:not([data-local])').forEach(localTime);
  document.querySelectorAll('.pages[data-place]').forEach(showPlace);
  document.querySelectorAll('.page-image[data-mark]:not([data-shown])').forEach(showHighlight);
  document.querySelectorAll('[data-first-proof]:not([data-shown])').forEach(showFirstProof);
}

applyTheme();
document.addEventListener('click', onClick, true);
document.addEventListener('change', onChange, true);
document.addEventListener('input', (event) => keepDraft(event.target), true);
document.addEventListener('keydown', onKey);
for (const type of ['dragover', 'dragleave', 'drop']) document.addEventListener(type, onDrag);
// Gradio changes elements where they stand, so texts and attributes count as well.
new MutationObserver(lookAround).observe(document.body, {
  childList: true,
  subtree: true,
  characterData: true,
  attributes: true,
  attributeFilter: ['open', 'data-key', 'data-local', 'data-place', 'data-mark', 'data-stamp', 'data-draft', 'data-shows'],
});
lookAround();
