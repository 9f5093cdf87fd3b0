/** What forms for long texts do where there is a script: they save themselves, count words, and warn. */
export {}

/** In milliseconds: how long after a change a form is saved at the latest, and how soon after the last save. */
const EVERY = 15_000
const GAP = 7_000
/** After a failure it tries again, each time later. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [5_000, 60_000]
/** Browsers finish a request of 64 KiB for a page that was left. */
const isShort = (/** @type {string} */ body) => new Blob([body]).size < 60_000

/** @type {(part: ParentNode, selector: string) => any[]} */
const all = (part, selector) => [...part.querySelectorAll(selector)]

/** @type {(id: string, part?: ParentNode) => any} */
const find = (id, part = document) => part.querySelector(`[id="${id}"]`)

/** @type {(name: string, properties?: object) => HTMLElement} */
const make = (name, properties) => Object.assign(document.createElement(name), properties)

/** @typedef {Record<string, string>} Parts fields, or all of an element that is merged as a whole, by id, as JSON */

/** @type {(form: HTMLFormElement) => Parts} */
const read = form => {
  /** @type {Record<string, string[][]>} */
  const parts = {}
  for (const each of form.elements) {
    const { name, value, type, checked } = /** @type {HTMLInputElement} */ (each)
    const whole = each.closest('[data-whole]')
    if (!name || type === 'submit' || (type === 'hidden' && !whole)) continue
    const id = whole?.id ?? name
    parts[id] ??= []
    if (checked || !/radio|checkbox/.test(type)) parts[id].push([name, value])
  }
  return Object.fromEntries(Object.entries(parts).map(([id, part]) => [id, JSON.stringify(part)]))
}

/** As forms are encoded, but letters of every script stay short. */
const encode = (/** @type {unknown} */ text) => String(text).replace(/[\0-\x20%&+=]/g, encodeURIComponent)

/** Saves a form by itself. */
class Saving {
  /** What is saved elsewhere of parts of which a person has to choose, until then. */
  asked = /** @type {Map<string, string>} */ (new Map())
  /** Since the last answer. */
  sent = /** @type {Parts[]} */ ([])
  busy = /** @type {Promise<void> | undefined} */ (undefined)
  refused = ''
  isOver = false
  isLeaving = false
  pause = 0
  last = 0
  due = Infinity
  timer = 0

  constructor(/** @type {HTMLElement} */ notes, /** @type {HTMLFormElement} */ form) {
    this.texts = /** @type {any} */ (notes.dataset)
    this.form = form
    this.said = all(notes, 'p')[0]
    this.saved = all(notes, 'p')[1]
    notes.hidden = false
    const shown = /** @type {HTMLFormElement} */ (form.cloneNode(true))
    shown.reset()
    this.base = read(shown)
    // A browser may have filled in what was typed before.
    for (const [id, here] of Object.entries(read(form)))
      if (here !== this.base[id]) this.ask(id, this.base[id] ?? '', shown)
    this.listen()
  }

  listen() {
    const { form } = this
    form.addEventListener('input', () => {
      this.isLeaving = false
      this.soon(EVERY)
    })
    form.addEventListener('focusout', () => this.soon(this.last + GAP - Date.now()))
    document.addEventListener('visibilitychange', () => (document.hidden ? this.save() : this.look()))
    addEventListener('pagehide', () => this.save())
    addEventListener('online', () => Promise.resolve(this.busy).then(() => this.save()))
    addEventListener('submit', event => this.submit(event))
    addEventListener('beforeunload', event => {
      if (!this.isLeaving && this.isLosing()) event.preventDefault()
    })
  }

  now() {
    return { ...read(this.form), ...Object.fromEntries(this.asked) }
  }

  isDirty() {
    return JSON.stringify(this.now()) !== JSON.stringify(this.base)
  }

  /** What a page sends while it is left arrives, unless it is long or something is wrong. */
  isLosing() {
    const isDoubtful = this.busy || this.pause || this.isOver || this.refused || !isShort(this.body())
    return this.asked.size > 0 || (this.isDirty() && isDoubtful)
  }

  soon(/** @type {number} */ wait) {
    const due = Date.now() + Math.max(0, wait, this.pause)
    if (due >= this.due) return
    clearTimeout(this.timer)
    this.due = due
    this.timer = setTimeout(() => this.save(), due - Date.now())
  }

  body() {
    const mine = read(this.form)
    /** @type {unknown[][]} */
    let fields = [...new FormData(this.form)]
    for (const [id, theirs] of this.asked) {
      const names = JSON.parse(mine[id] ?? '[]').map((/** @type {string[]} */ [name]) => name)
      fields = [...fields.filter(([name]) => !names.includes(name)), ...JSON.parse(theirs)]
    }
    return fields.map(field => field.map(encode).join('=')).join('&')
  }

  save() {
    clearTimeout(this.timer)
    this.due = Infinity
    if (this.busy || this.isLeaving || this.isOver) return this.busy
    if (this.isDirty() && this.refused !== JSON.stringify(this.now())) return this.be(this.send())
    if (this.pause) this.say()
    this.pause = 0
  }

  /** Takes over what was saved elsewhere meanwhile. */
  look() {
    if (!this.busy && !this.pause && !this.isOver) this.be(this.merge())
  }

  /** One thing at a time is under way. */
  be(/** @type {Promise<void>} */ work) {
    this.busy = work
      .catch(() => {
        this.pause = Math.min(this.pause * 2 || FIRST_PAUSE, LONGEST_PAUSE)
        if (this.isDirty()) this.say(this.texts.failing)
      })
      .finally(() => {
        this.busy = undefined
        if (this.isDirty()) this.soon(this.pause || document.hidden ? 0 : EVERY)
      })
    return this.busy
  }

  async send() {
    const now = this.now()
    const body = this.body()
    this.sent.push(now)
    this.last = Date.now()
    const answer = await fetch(this.texts.save, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      keepalive: isShort(body),
      signal: AbortSignal.timeout(20_000),
    })
    if (answer.status === 404) return this.stop(this.texts.gone)
    if (answer.status === 429) throw new Error()
    const { said, revision, isElsewhere, isOver } = await answer.json()
    if (isElsewhere) return this.merge()
    if (isOver) return this.stop(said)
    const isAgain = this.pause > 0
    this.pause = 0
    if (!answer.ok) {
      this.refused = JSON.stringify(now)
      return this.say(said)
    }
    this.settle(now, revision)
    find('saved')?.remove()
    // Only what was wrong is worth hearing.
    this.saved.textContent = isAgain ? '' : said
    this.say(isAgain && !this.asked.size ? said : undefined)
  }

  settle(/** @type {Parts} */ base, /** @type {string} */ revision) {
    this.base = base
    this.sent = []
    this.refused = ''
    all(this.form, '[data-revision]')[0].value = revision
  }

  stop(/** @type {string} */ why) {
    this.isOver = true
    this.say(why)
  }

  say(text = this.asked.size ? this.texts.asks : '') {
    if (this.said.textContent !== text) this.said.textContent = text
  }

  /** Merges three ways: what was changed only here stays, what only there is taken over, and of the rest a person chooses. */
  async merge() {
    const page = new DOMParser().parseFromString(await (await fetch(this.form.action)).text(), 'text/html')
    const fresh = page.querySelector('[data-save]')?.closest('form')
    if (!fresh) throw new Error()
    const [mine, theirs] = [read(this.form), read(fresh)]
    if (`${Object.keys(mine)}` !== `${Object.keys(theirs)}`) return this.stop(this.texts.other)
    for (const [id, there] of Object.entries(theirs)) {
      const isTheirs = there !== this.base[id] && !this.sent.some(sent => sent[id] === there)
      if (mine[id] === there) this.choose(id)
      else if (isTheirs && mine[id] === this.base[id]) this.take(id, fresh)
      else if (isTheirs) this.ask(id, there, fresh)
    }
    this.pause = 0
    this.settle(theirs, all(fresh, '[data-revision]')[0].value)
    this.form.dispatchEvent(new Event('input'))
    this.say()
    if (this.isDirty()) this.soon(0)
  }

  take(/** @type {string} */ id, /** @type {HTMLFormElement} */ fresh) {
    const [here, there] = [find(id), find(id, fresh)]
    const focused = document.activeElement?.id
    if (here.matches('[data-whole]')) here.replaceWith(there)
    else here.value = there.value
    if (focused) find(focused)?.focus()
  }

  ask(/** @type {string} */ id, /** @type {string} */ theirs, /** @type {HTMLFormElement} */ fresh) {
    this.choose(id)
    this.asked.set(id, theirs)
    this.say()
    const here = find(id)
    const at = `[id="${id}"]`
    const fields = all(fresh, `${at}:read-write, ${at} :is(:read-write, :checked)`)
    const note = make('div', { id: `${id}-theirs`, className: 'theirs lines' })
    const words = fields
      .map(({ checked, labels, text, value }) => (checked ? labels[0].textContent : (text ?? value)))
      .filter(Boolean)
    const says = this.texts.theirs.replace('#', () => words.join(', '))
    note.append(says, make('br'))
    for (const does of ['keep', 'take']) {
      const onclick = () => {
        this.choose(id)
        if (does === 'take') this.take(id, fresh)
        find(id).focus()
        this.say()
        this.soon(0)
      }
      const textContent = this.texts[does]
      note.append(make('button', { type: 'button', className: 'button', textContent, onclick }), ' ')
    }
    here[here.matches('[data-whole]') ? 'prepend' : 'before'](note)
  }

  choose(/** @type {string} */ id) {
    this.asked.delete(id)
    find(`${id}-theirs`)?.remove()
  }

  /** A form that is sent waits for what is under way; another one, and each without a network, for what is not saved. */
  async submit(/** @type {SubmitEvent} */ event) {
    const form = /** @type {HTMLFormElement} */ (event.target)
    const mayLose = form !== this.form || this.pause > 0 || !navigator.onLine
    const isUnsaved = () => mayLose && (this.asked.size > 0 || this.isDirty())
    this.isLeaving = !this.busy && !isUnsaved()
    if (this.isLeaving) return
    event.preventDefault()
    await this.busy
    if (mayLose) await this.save()
    if (!isUnsaved()) form.requestSubmit(event.submitter)
  }
}

const [notes] = all(document, '[data-save]')
const form = notes?.closest('form')
if (form) new Saving(notes, form)
for (const text of all(document, '[data-bare]')) text.hidden = form
for (const text of all(document, '[data-scripted]')) text.hidden = false

/** Warns of leaving a form that saves nothing by itself. */
for (const other of all(document, 'form[data-guard]')) {
  if (form) break
  let isSent = false
  other.oninput = () => (isSent = false)
  other.onsubmit = () => (isSent = true)
  addEventListener('beforeunload', event => {
    const isTyped = all(other, 'textarea, [type=text], [type=email], [type=tel]').some(({ value }) => value)
    if (isTyped && !isSent) event.preventDefault()
  })
}

for (const text of all(document, '[data-words]')) {
  const texts = text.closest('form')
  texts.addEventListener('input', () => {
    const words = all(texts, '[name^=text]').flatMap(({ value }) => value.match(/\S+/gu) ?? [])
    text.textContent = text.dataset.words.replace('#', words.length)
  })
}

/** Says a deadline in the visitor's own time, where that differs. */
for (const text of all(document, '[data-own]')) {
  const { own, at, zone, options, locale } = text.dataset
  const [here, there] = [undefined, zone].map(timeZone =>
    new Intl.DateTimeFormat(locale, { ...JSON.parse(options), timeZone }).format(new Date(at)),
  )
  text.textContent = own.replace('#', () => here)
  text.hidden = here === there
}
