import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { statusOf } from '#machinery/http/errors.ts'
import { flash } from '#machinery/web/flash.ts'
import type { FormScale } from '#machinery/web/forms/field.ts'
import {
  conflictedForm,
  EditConflict,
  editForm,
  type Fields,
  type FormState,
  mergeEdit,
  newForm,
  PreviewChanged,
  parseForm,
  readForm,
  refusedForm,
  type Scaled,
  type SentForm,
  type ValuesOf,
} from '#machinery/web/forms/form.ts'
import { runRecorded, type WriteEntry } from '#product/administration/access-log/recorded-write.ts'
import * as receipts from '#product/administration/sent-forms/rules.ts'
import type { Context } from './context.ts'
import type { Declaration } from './declaration.ts'
import { type Destination, goTo } from './destination.ts'
import { type Shown, viewOf } from './form-parts.tsx'
import type { PageAt, View } from './page.ts'
import { actorOf, type Levels, refuseDeleted, type Services, scaleOf } from './page-request.ts'
import { placeProblem, problemOfForm, type Refused } from './refused-form.ts'
import { answerView } from './show.tsx'
import { backFrom } from './way-back.ts'

/** The levels whose writes belong to an account. */
type Owned = 'account' | 'event'

/** What a form hands to the rule that it calls. */
export interface Sent<Loaded, Some extends Fields, Prepared = unknown> {
  values: ValuesOf<Some>
  /** The values of those fields that the user changed. Only an edit has some. */
  changes: Partial<ValuesOf<Some>>
  loaded: Loaded
  /** What `prepare` returned. */
  prepared: Prepared
}

interface Rules<AtLevel extends Owned, Loaded, Some extends Fields, Result, Looked, Prepared>
  extends Declaration {
  /** Reads what is too long for one snapshot, before `load`. @throws Problem */
  look?: (services: Services, request: Levels[AtLevel]) => Promise<Looked>
  /** Reads what the form is about. It runs for the page, and again in the transaction that writes. @throws Problem */
  load: (tx: ReadTx, request: Levels[AtLevel], services: Services, looked: Looked) => Promise<Loaded>
  fields: (loaded: Loaded, request: Levels[AtLevel]) => Some
  /** Returns the present values. Only a form that edits has it. Without any, the form creates what it would edit. */
  current?: (loaded: Loaded, request: Levels[AtLevel]) => ValuesOf<Some> | undefined
  /** Returns the values that are filled in already in a form that creates. */
  initial?: (loaded: Loaded, request: Levels[AtLevel]) => Partial<ValuesOf<Some>>
  /**
   * Returns how times and money are typed, where the form itself decides that. The default is the scale of the event or the
   * account.
   */
  scale?: (typed: SentForm['typed'], request: Levels[AtLevel]) => FormScale
  /** Does work that must not run inside the write, such as a network request. @throws Problem */
  prepare?: (
    values: ValuesOf<Some>,
    request: Levels[AtLevel],
    services: Services,
    looked: Looked,
  ) => Promise<Prepared>
  act: (tx: WriteTx, request: Levels[AtLevel], sent: Sent<Loaded, Some, Prepared>) => Promise<Result>
  /**
   * Returns the entry of the access log. An edit that changed nothing writes none. An edit that changed something logs the names
   * of the fields unless the entry gives other details.
   */
  entry: (request: Levels[AtLevel], changed: () => readonly string[]) => WriteEntry<Result>
  next: (result: Result, request: Levels[AtLevel], services: Services) => Destination
  /**
   * Returns a view that only the answer to the form itself shows, such as a new secret. The secret goes through no cookie,
   * address or receipt. The same form sent again, as by a reload, makes nothing and leads to the destination of `next`, without
   * the secret.
   */
  once?: (result: Result, request: Levels[AtLevel], services: Services) => View
  /**
   * Returns what a page that asks for a confirmation says will happen, from a dry run of the same rule. If the dry run gives
   * something else when the form is sent, the page is shown again instead.
   */
  preview?: (loaded: Loaded, request: Levels[AtLevel]) => string
  /** Returns the name of the field for a parameter that a rule names otherwise. */
  fieldOf?: (param: string) => string
  /** Another page may link to the form, and be named in the query of its address. Then the form leads back there. */
  takesWayBack?: true
  /**
   * The browser keeps what was typed when a person goes back to the form, and may suggest it later. No form with personal data of
   * guests has this, because the next person at the machine would see it.
   */
  keepsTyped?: true
}

type FormDeclaration<AtLevel extends Owned, Loaded, Some extends Fields, Result, Looked, Prepared> = Rules<
  AtLevel,
  Loaded,
  Some,
  Result,
  Looked,
  Prepared
> &
  Shown<AtLevel, Loaded>

/**
 * Declares a page with a form that changes something of an account, in one recorded write. A refused form is shown again as it
 * was typed. An edit is merged with what others have changed. A form that creates something does so once, however often it is
 * sent.
 */
export function formPage<
  const AtLevel extends Owned,
  Loaded,
  Some extends Fields,
  Result,
  Looked = undefined,
  Prepared = undefined,
>(level: AtLevel, page: FormDeclaration<AtLevel, Loaded, Some, Result, Looked, Prepared>): PageAt<AtLevel> {
  const { path, permission, isOfInstance, isOfAllEvents, navigation, belongsTo } = page
  const form = new RecordedForm(level, page)
  return {
    ...{ path, level, permission, isOfInstance, isOfAllEvents, navigation, belongsTo },
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

  async show(services: Services, context: Context, request: Levels[AtLevel]): Promise<void> {
    const { fields, current, initial } = this.#page
    const { loaded } = await this.#load(services, request)
    const scale = scaleOf(request)
    const there = current?.(loaded, request)
    const state =
      there === undefined
        ? newForm(fields(loaded, request), scale, initial?.(loaded, request))
        : editForm(fields(loaded, request), scale, there)
    await this.#answer(context, request, loaded, state)
  }

  /** Shows the form as it was typed before its session ended. */
  async restore(
    services: Services,
    context: Context,
    request: Levels[AtLevel],
    body: URLSearchParams,
  ): Promise<void> {
    const { loaded } = await this.#load(services, request)
    const fields = this.#page.fields(loaded, request)
    const sent = readForm(fields, body)
    await this.#answer(context, request, loaded, refusedForm(fields, this.#scale(request, sent), sent, {}))
  }

  async take(services: Services, context: Context, request: Levels[AtLevel]): Promise<void> {
    // A form that was already carried out is not checked again, because its own write has changed what it is about.
    const led = await services.db.read(request.account.id, tx =>
      this.#findLed(tx, request, readForm({}, context.state.body)),
    )
    if (led !== undefined) return goTo(services, context, led)
    const { loaded, looked } = await this.#load(services, request)
    const fields = this.#page.fields(loaded, request)
    const sent = readForm(fields, context.state.body)
    const scale = this.#scale(request, sent)
    const refuse = (refused: Refused, status: number) =>
      this.#answer(context, request, loaded, refusedForm(fields, scale, sent, refused), status)
    const parsed = parseForm(fields, scale, sent)
    if ('faults' in parsed) return refuse({ faults: parsed.faults }, 422)
    try {
      const prepared = (await this.#page.prepare?.(parsed.values, request, services, looked)) as Prepared
      const mine = { values: parsed.values, scale }
      const written = await this.#write(services, request, sent, mine, { looked, prepared })
      if ('destination' in written) goTo(services, context, written.destination)
      else await answerView(context, { level: this.#level, path: this.#page.path }, request, written.view)
    } catch (error) {
      if (error instanceof EditConflict) {
        const { loaded: reloaded } = await this.#load(services, request)
        return this.#answer(context, request, reloaded, conflictedForm(fields, scale, sent, error), 409)
      }
      if (error instanceof PreviewChanged) {
        const { loaded: reloaded } = await this.#load(services, request)
        const state = refusedForm(fields, scale, sent, { problem: new Problem('seen_changed') })
        return this.#answer(context, request, reloaded, state, 409)
      }
      const problem = problemOfForm(error)
      context.state.problem = problem
      return refuse(placeProblem(fields, problem, this.#page.fieldOf), statusOf(problem))
    }
  }

  /** @throws EditConflict, PreviewChanged or the Problem of the rule, once its refusal is recorded */
  async #write(
    services: Services,
    request: Levels[AtLevel],
    sent: SentForm,
    mine: Scaled<ValuesOf<Some>>,
    { looked, prepared }: { looked: Looked; prepared: Prepared },
  ): Promise<{ destination: Destination } | { view: View }> {
    const { load, fields, current, act, entry, next, once, preview } = this.#page
    const { account, user } = request
    const written = await services.db.write(account.id, async tx => {
      const led = await this.#findLed(tx, request, sent)
      if (led !== undefined) return { destination: led }
      let changed: readonly string[] = []
      let isEdit = false
      const work = async (inner: WriteTx) => {
        await refuseDeleted(inner, request)
        const loaded = await load(inner, request, services, looked)
        if (preview !== undefined && preview(loaded, request) !== sent.preview) throw new PreviewChanged()
        const there = current?.(loaded, request)
        isEdit = there !== undefined
        const merged =
          there === undefined
            ? { values: mine.values, changed }
            : mergeEdit(fields(loaded, request), sent, mine, { values: there, scale: scaleOf(request) })
        changed = merged.changed
        const changes = pick(merged.values, changed)
        return act(inner, request, { values: merged.values, changes, loaded, prepared })
      }
      const ofEdit = {
        hasChanged: () => !isEdit || changed.length > 0,
        details: () => (isEdit ? { changed } : {}),
      }
      const declared = entry(request, () => changed)
      const recorded = current === undefined ? declared : { ...ofEdit, ...declared }
      const outcome = await runRecorded(tx, actorOf(request), work, recorded)
      if (outcome.problem !== undefined) return outcome
      const onward = next(outcome.result, request, services)
      const destination = this.#page.takesWayBack ? backFrom(onward, request) : onward
      const receipt = { userId: user.id, formId: sent.formId, location: destination.path }
      await receipts.keep(tx, receipt)
      return once === undefined ? { destination } : { view: once(outcome.result, request, services) }
    })
    if ('problem' in written) throw written.problem
    return written
  }

  async #load(services: Services, request: Levels[AtLevel]): Promise<{ loaded: Loaded; looked: Looked }> {
    const looked = (await this.#page.look?.(services, request)) as Looked
    return {
      looked,
      loaded: await services.db.read(request.account.id, tx =>
        this.#page.load(tx, request, services, looked),
      ),
    }
  }

  /** Returns where the form led if it was already carried out. What that answer showed once is not shown again. */
  async #findLed(
    tx: ReadTx,
    { user }: Levels[AtLevel],
    { formId }: SentForm,
  ): Promise<Destination | undefined> {
    const path = await receipts.find(tx, { userId: user.id, formId })
    if (path === undefined) return undefined
    return this.#page.once === undefined
      ? { path }
      : { path, flash: flash('shownOnce', {}, { tone: 'warn' }) }
  }

  #scale(request: Levels[AtLevel], { typed }: SentForm): FormScale {
    return this.#page.scale?.(typed, request) ?? scaleOf(request)
  }

  async #answer(
    context: Context,
    request: Levels[AtLevel],
    loaded: Loaded,
    state: FormState,
    status = 200,
  ): Promise<void> {
    const { path, preview, keepsTyped } = this.#page
    const kept = { ...state, keepsTyped }
    const shown = preview === undefined ? kept : { ...kept, preview: preview(loaded, request) }
    const view = viewOf(this.#page, loaded, request, shown)
    await answerView(context, { level: this.#level, path }, request, { ...view, status })
  }
}

function pick<Values extends object>(values: Values, names: readonly string[]): Partial<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => names.includes(name)),
  ) as Partial<Values>
}
