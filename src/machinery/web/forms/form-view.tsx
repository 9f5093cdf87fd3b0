import type { ComponentChildren } from 'preact'
import { Problem } from '#base/problem.ts'
import { Offered } from '#machinery/web/components/offered.tsx'
import { Banner } from '#machinery/web/components/parts.tsx'
import { describeProblem } from '#texts/describe-problem.ts'
import type { Texts } from '#texts/texts.ts'
import { ControlOf } from './control.tsx'
import { ErrorSummary, faultOf } from './error-summary.tsx'
import { type Fields, FORM_ID, FORM_PREVIEW, type FormState, wasName } from './form.ts'

interface FormProps {
  state: FormState
  texts: Texts
  /** The address to which the form is sent. */
  action: string
  /** The text of the button, which is one verb. */
  submit: string
  /** True if the main button is red, because it destroys or sends something that cannot be taken back. */
  isDanger?: boolean | undefined
  /** The target and the text of a link beside the button that changes nothing. */
  leave?: string | undefined
  leaveText?: string | undefined
  /** A second button, which sends the form elsewhere. It may be the one that most people press. */
  other?: { action: string; text: string; isMain?: boolean } | undefined
  /** The content in place of the fields in a row, such as fields in groups. */
  children?: ComponentChildren
  /** False for a form of short texts whose loss nobody minds. Then the page does not warn. */
  isGuarded?: boolean | undefined
}

/** Shows a form with its fields, their faults, and its button, or why this server would not take it. */
export function Form(props: FormProps) {
  return (
    <Offered address={props.action} otherwise={<NotOffered texts={props.texts} />}>
      <OfferedForm {...props} />
    </Offered>
  )
}

function NotOffered({ texts }: Pick<FormProps, 'texts'>) {
  return (
    <Banner tone="warn">
      <p>{describeProblem(texts, new Problem('door_only'))}</p>
    </Banner>
  )
}

function OfferedForm({
  state,
  texts,
  action,
  submit,
  isDanger,
  leave,
  leaveText = texts.page.leave,
  other,
  children,
  isGuarded = true,
}: FormProps) {
  const hasFile = Object.values(state.fields).some(({ control }) => control.kind === 'file')
  return (
    <form
      method="post"
      action={action}
      enctype={hasFile ? 'multipart/form-data' : undefined}
      class="form"
      novalidate
      data-guard={isGuarded ? '' : undefined}
    >
      <ErrorSummary state={state} texts={texts} />
      {state.formId !== undefined && <input type="hidden" name={FORM_ID} value={state.formId} />}
      {state.preview !== undefined && <input type="hidden" name={FORM_PREVIEW} value={state.preview} />}
      <WasFields state={state} />
      {children ?? <FieldRows state={state} texts={texts} />}
      <div class="end-bar">
        <button type="submit" class={`button ${isDanger ? 'danger' : other?.isMain ? '' : 'main'}`.trimEnd()}>
          {submit}
        </button>
        {other !== undefined && (
          <button type="submit" class={other.isMain ? 'button main' : 'button'} formaction={other.action}>
            {other.text}
          </button>
        )}
        {leave !== undefined && (
          <a class="button plain" href={leave}>
            {leaveText}
          </a>
        )}
      </div>
    </form>
  )
}

/** Carries each text as it was shown, for the merge. */
function WasFields({ state: { was } }: { state: FormState }) {
  if (was === undefined) return null
  return (
    <>
      {Object.entries(was).flatMap(([name, typed]) =>
        (typed.length === 0 ? [''] : typed).map(value => (
          <input key={`${name} ${value}`} type="hidden" name={wasName(name, typed)} value={value} />
        )),
      )}
    </>
  )
}

interface RowsProps {
  state: FormState
  texts: Texts
  /** Shows only these fields. */
  names?: readonly string[]
}

export function FieldRows({ state, texts, names = Object.keys(state.fields) }: RowsProps) {
  return (
    <>
      {names.map(name => (
        <FieldRow key={name} state={state} texts={texts} name={name} />
      ))}
    </>
  )
}

/** Shows fields that belong together, under one name. */
export function FieldGroup({
  legend,
  about,
  help,
  side,
  ...rows
}: RowsProps & { legend: string; about?: string; help?: ComponentChildren; side?: boolean }) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {about !== undefined && <p class="help">{about}</p>}
      <div class={side ? 'pair' : 'stack'}>
        <FieldRows {...rows} />
      </div>
      {help !== undefined && <p class="help">{help}</p>}
    </fieldset>
  )
}

/**
 * Shows fields that few people need, folded under a summary. They stand open if one of them needs another look.
 *
 * @param props.children the content in place of the fields in a row
 */
export function FoldedRows({
  summary,
  names = [],
  children,
  ...rows
}: RowsProps & { summary: string; children?: ComponentChildren }) {
  const { faults, theirs } = rows.state
  return (
    <details open={names.some(name => faults.has(name) || theirs.has(name))}>
      <summary>{summary}</summary>
      <div class="stack">{children ?? <FieldRows {...rows} names={names} />}</div>
    </details>
  )
}

/** Returns the label of a value from which people choose. */
function labelOf({ control }: Fields[string], value: string, texts: Texts): string {
  const choices = 'choices' in control ? control.choices(texts) : []
  return choices.find(choice => choice.value === value)?.label ?? value
}

interface RowProps {
  state: FormState
  texts: Texts
  name: string
}

/** Returns whether a field may stay empty. It is undefined for a control that always has a value, or that is a set of boxes. */
function isEmptiable({ control: { kind }, required, isOfPeople }: Fields[string]): boolean | undefined {
  if (kind === 'tick' || kind === 'hidden' || (kind === 'checkboxes' && !isOfPeople)) return undefined
  const isAlwaysSet = required && (kind === 'radios' || kind === 'select')
  return isAlwaysSet && !isOfPeople ? undefined : !required
}

/**
 * Returns whether a form names the fields that must be filled in, instead of those that may stay empty. Settings do, because most
 * of theirs may stay empty.
 */
function isMostlyOptional({ fields, was }: FormState): boolean {
  if (was === undefined) return false
  const marked = Object.values(fields).map(isEmptiable)
  return marked.filter(each => each === true).length > marked.filter(each => each === false).length
}

function FieldRow({ state, texts, name }: RowProps) {
  const field = state.fields[name]
  if (field === undefined) throw new Error(`The form has no field ${name}.`)
  const ofPeople = (text: string) => (field.isOfPeople ? <bdi>{text}</bdi> : text)
  const help = field.help?.(texts)
  const fault = faultOf(state, name, texts)
  const theirs = state.theirs.get(name)
  const notes = [
    theirs && `${name}-theirs`,
    help !== undefined && `${name}-help`,
    fault !== undefined && `${name}-error`,
  ].filter(Boolean)
  const control = {
    field,
    name,
    texts,
    typed: state.typed[name] ?? [],
    describedBy: notes.length > 0 ? notes.join(' ') : undefined,
    isWrong: fault !== undefined,
    keepsTyped: state.keepsTyped,
  }
  const { kind } = field.control
  const isGroup = kind === 'radios' || kind === 'checkboxes'
  const label = (
    <>
      {ofPeople(field.label(texts))}
      {field.of !== undefined && <span class="hidden">: {field.of(texts)}</span>}
      {isEmptiable(field) !== undefined && isEmptiable(field) !== isMostlyOptional(state) && (
        <span class="quiet"> {isEmptiable(field) ? texts.page.optional : texts.page.required}</span>
      )}
    </>
  )
  const about = (
    <>
      {theirs !== undefined && (
        <p class="theirs" id={`${name}-theirs`}>
          {texts.page.changedByOthers(theirs.map(value => labelOf(field, value, texts)).join(', '))}
        </p>
      )}
      {help !== undefined && (
        <p class="help" id={`${name}-help`}>
          {ofPeople(help)}
        </p>
      )}
      {fault !== undefined && (
        <p class="error" id={`${name}-error`}>
          <span class="hidden">{texts.page.errorPrefix}</span>
          {fault}
        </p>
      )}
    </>
  )
  if (kind === 'hidden') return <input type="hidden" name={name} value={control.typed[0] ?? ''} />
  if (isGroup) {
    return (
      <fieldset class="field" id={name} aria-describedby={control.describedBy}>
        <legend>{label}</legend>
        {about}
        <ControlOf {...control} />
      </fieldset>
    )
  }
  if (kind === 'tick') {
    return (
      <div class="field">
        <label class="tick">
          <ControlOf {...control} /> {label}
        </label>
        {about}
      </div>
    )
  }
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {about}
      <ControlOf {...control} />
    </div>
  )
}
