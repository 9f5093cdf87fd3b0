import { runRecorded, type WriteEntry } from '../access-log/recorded-write.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import * as receipts from '../form-receipts/rules.ts'
import { statusOf } from '../http/errors.ts'
import { Problem } from '../problem.ts'
import { flash } from '../web/flash.ts'
import type { FormScale } from '../web/forms/field.ts'
import {
  conflictedForm,
  EditConflict,
  editForm,
  type Fields,
  type FormState,
  mergeEdit,
  newForm,
  parseForm,
  readForm,
  refusedForm,
  type Scaled,
  SeenChanged,
  type SentForm,
  type ValuesOf,
} from '../web/forms/form.ts'
import { actorOf, type Levels, type Services, scaleOf } from './asked.ts'
import type { Context } from './context.ts'
import type { Declaration } from './declaration.ts'
import { type Destination, goTo } from './destination.ts'
import type { PageAt, View } from './page.ts'
import { placeProblem, problemOfForm, type Refused } from './refused-form.ts'
import { answerView } from './show.tsx'

/** Levels whose writes belong to an account. */
type Owned = 'account' | 'event'

/** What a form is told beside its values. */
export interface Sent<Loaded, Some extends Fields, Prepared = unknown> {
  values: ValuesOf<Some>
  /** Of an edit: the values of those fields that were changed. */
  changes: Partial<ValuesOf<Some>>
  loaded: Loaded
  /** What `prepare` gave. */
  prepared: Prepared
}

interface FormDeclaration<AtLevel extends Owned, Loaded, Some extends Fields, Result, Looked, Prepared>
  extends Declaration {
  /** Reads what is too long for one snapshot, before `load`. @throws Problem */
  look?: (services: Services, asked: Levels[AtLevel]) => Promise<Looked>
  /** Reads what the form is about, for the page, and again in the transaction that writes. @throws Problem */
  load: (tx: ReadTx, asked: Levels[AtLevel], services: Services, looked: Looked) => Promise<Loaded>
  fields: (loaded: Loaded, asked: Levels[AtLevel]) => Some
  /** The values that there are: of a form that edits. */
  current?: (loaded: Loaded, asked: Levels[AtLevel]) => ValuesOf<Some>
  /** What is filled in already: of a form that creates. */
  initial?: (loaded: Loaded, asked: Levels[AtLevel]) => Partial<ValuesOf<Some>>
  /** By what times and money are typed, where the form itself says it: the event's or the account's by default. */
  scale?: (typed: SentForm['typed'], asked: Levels[AtLevel]) => FormScale
  view: (loaded: Loaded, asked: Levels[AtLevel], state: FormState) => View
  /** Work before the write that must not be inside it, such as to ask the network. @throws Problem */
  prepare?: (values: ValuesOf<Some>, asked: Levels[AtLevel], services: Services) => Promise<Prepared>
  act: (tx: WriteTx, asked: Levels[AtLevel], sent: Sent<Loaded, Some, Prepared>) => Promise<Result>
  /** Of an edit that changed nothing there is none; one that changed something has the names of the fields, where it says no more. */
  entry: (asked: Levels[AtLevel], changed: () => readonly string[]) => WriteEntry<Result>
  next: (result: Result, asked: Levels[AtLevel], services: Services) => Destination
  /**
   * What the answer to the form itself shows, and no page after it: a secret that was made. It goes through no cookie, address or
   * receipt. The same form again, as by a reload, makes nothing, and leads to where `next` says, without the secret.
   */
  once?: (result: Result, asked: Levels[AtLevel], services: Services) => View
  /**
   * Of a page that asks whether to go on: what it says will happen, from a dry run of the same rule. If that is something else when
   * the form is sent, the page is shown again instead.
   */
  seen?: (loaded: Loaded, asked: Levels[AtLevel]) => string
  /** The name of the field, where a rule names it otherwise. */
  fieldOf?: (param: string) => string
}

/**
 * A page with a form that changes something of an account, in one recorded write. What is refused is shown again as it was
 * typed. An edit is merged with what others have changed; a form that creates something does so once, however often it is sent.
 */
export function formPage<
  const AtLevel extends Owned,
  Loaded,
  Some extends Fields,
  Result,
  Looked = undefined,
  Prepared = undefined,
>(level: AtLevel, page: FormDeclaration<AtLevel, Loaded, Some, Result, Looked, Prepared>): PageAt<AtLevel> {
  const { path, permission, isOfInstance, isOfAllEvents, navigation } = page
  const form = new RecordedForm(level, page)
  return {
    ...{ path, level, permission, isOfInstance, isOfAllEvents, navigation },
    get: (...request) => form.show(...request),
    post: (...request) => form.take(...request),
    restore: (...request) => form.restore(...request),
  } as PageAt<AtLevel>
}

class RecordedForm<AtLevel extends Owned, Loaded, Some extends Fields, Result, Looked, Prepared> {
  readonly #level: AtLevel
  readonly #page: FormDeclaration<AtLevel, Loaded, Some, Result, Looked, Prepared>

  constructor(level: AtLevel, page: FormDeclaration<AtLevel, Loaded, Some, Result, Looked, Prepared>) {
    this.#level = level
    this.#page = page
  }

  async show(services: Services, context: Context, asked: Levels[AtLevel]): Promise<void> {
    const { fields, current, initial } = this.#page
    const { loaded } = await this.#load(services, asked)
    const scale = scaleOf(asked)
    const state =
      current === undefined
        ? newForm(fields(loaded, asked), scale, initial?.(loaded, asked))
        : editForm(fields(loaded, asked), scale, current(loaded, asked))
    await this.#answer(context, asked, loaded, state)
  }

  /** As it was typed before its session ended. */
  async restore(
    services: Services,
    context: Context,
    asked: Levels[AtLevel],
    body: URLSearchParams,
  ): Promise<void> {
    const { loaded } = await this.#load(services, asked)
    const fields = this.#page.fields(loaded, asked)
    const sent = readForm(fields, body)
    await this.#answer(context, asked, loaded, refusedForm(fields, this.#scale(asked, sent), sent, {}))
  }

  async take(services: Services, context: Context, asked: Levels[AtLevel]): Promise<void> {
    // What was done already is not judged again: what it was done to has changed by it.
    const led = await services.db.read(tx => this.#findLed(tx, asked, readForm({}, context.state.body)))
    if (led !== undefined) return goTo(services, context, led)
    const { loaded, looked } = await this.#load(services, asked)
    const fields = this.#page.fields(loaded, asked)
    const sent = readForm(fields, context.state.body)
    const scale = this.#scale(asked, sent)
    const refuse = (refused: Refused, status: number) =>
      this.#answer(context, asked, loaded, refusedForm(fields, scale, sent, refused), status)
    const parsed = parseForm(fields, scale, sent)
    if ('faults' in parsed) return refuse({ faults: parsed.faults }, 422)
    try {
      const prepared = (await this.#page.prepare?.(parsed.values, asked, services)) as Prepared
      const mine = { values: parsed.values, scale }
      const written = await this.#write(services, asked, sent, mine, { looked, prepared })
      if ('destination' in written) goTo(services, context, written.destination)
      else await answerView(context, { level: this.#level, path: this.#page.path }, asked, written.view)
    } catch (error) {
      if (error instanceof EditConflict) {
        const { loaded: now } = await this.#load(services, asked)
        return this.#answer(context, asked, now, conflictedForm(fields, scale, sent, error), 409)
      }
      if (error instanceof SeenChanged) {
        const { loaded: now } = await this.#load(services, asked)
        const state = refusedForm(fields, scale, sent, { problem: new Problem('seen_changed') })
        return this.#answer(context, asked, now, state, 409)
      }
      const problem = problemOfForm(error)
      context.state.problem = problem
      return refuse(placeProblem(fields, problem, this.#page.fieldOf), statusOf(problem))
    }
  }

  /** @throws EditConflict; Problem of the rule, once its refusal is recorded */
  async #write(
    services: Services,
    asked: Levels[AtLevel],
    sent: SentForm,
    mine: Scaled<ValuesOf<Some>>,
    { looked, prepared }: { looked: Looked; prepared: Prepared },
  ): Promise<{ destination: Destination } | { view: View }> {
    const { load, fields, current, act, entry, next, once, seen } = this.#page
    const { account, user } = asked
    const written = await services.db.write(account.id, async tx => {
      const led = await this.#findLed(tx, asked, sent)
      if (led !== undefined) return { destination: led }
      let changed: readonly string[] = []
      const work = async (inner: WriteTx) => {
        const loaded = await load(inner, asked, services, looked)
        if (seen !== undefined && seen(loaded, asked) !== sent.seen) throw new SeenChanged()
        const there = current?.(loaded, asked)
        const merged =
          there === undefined
            ? { values: mine.values, changed }
            : mergeEdit(fields(loaded, asked), sent, mine, { values: there, scale: scaleOf(asked) })
        changed = merged.changed
        const changes = pick(merged.values, changed)
        return act(inner, asked, { values: merged.values, changes, loaded, prepared })
      }
      const ofEdit = { hasChanged: () => changed.length > 0, details: () => ({ changed }) }
      const declared = entry(asked, () => changed)
      const recorded = current === undefined ? declared : { ...ofEdit, ...declared }
      const outcome = await runRecorded(tx, actorOf(asked), work, recorded)
      if (outcome.problem !== undefined) return outcome
      const destination = next(outcome.result, asked, services)
      const receipt = { userId: user.id, formId: sent.formId, location: destination.path }
      await receipts.keep(tx, account.id, receipt)
      return once === undefined ? { destination } : { view: once(outcome.result, asked, services) }
    })
    if ('problem' in written) throw written.problem
    return written
  }

  async #load(services: Services, asked: Levels[AtLevel]): Promise<{ loaded: Loaded; looked: Looked }> {
    const looked = (await this.#page.look?.(services, asked)) as Looked
    return { looked, loaded: await services.db.read(tx => this.#page.load(tx, asked, services, looked)) }
  }

  /** Where the form has led, if it was carried out: what it showed then is not shown again. */
  async #findLed(
    tx: ReadTx,
    { account, user }: Levels[AtLevel],
    { formId }: SentForm,
  ): Promise<Destination | undefined> {
    const path = await receipts.find(tx, account.id, { userId: user.id, formId })
    if (path === undefined) return undefined
    return this.#page.once === undefined
      ? { path }
      : { path, flash: flash('shownOnce', {}, { tone: 'warn' }) }
  }

  #scale(asked: Levels[AtLevel], { typed }: SentForm): FormScale {
    return this.#page.scale?.(typed, asked) ?? scaleOf(asked)
  }

  async #answer(
    context: Context,
    asked: Levels[AtLevel],
    loaded: Loaded,
    state: FormState,
    status = 200,
  ): Promise<void> {
    const { path, seen, view } = this.#page
    const shown = seen === undefined ? state : { ...state, seen: seen(loaded, asked) }
    await answerView(context, { level: this.#level, path }, asked, { ...view(loaded, asked, shown), status })
  }
}

function pick<Values extends object>(values: Values, names: readonly string[]): Partial<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => names.includes(name)),
  ) as Partial<Values>
}
