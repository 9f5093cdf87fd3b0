import { type ComponentChildren, type ComponentProps, isValidElement, type VNode } from 'preact'
import { Banner, Head, type HeadProps } from '#machinery/web/components/parts.tsx'
import { type FormState, isRefused } from '#machinery/web/forms/form.ts'
import { FieldGroup, FieldRows, FoldedRows, Form } from '#machinery/web/forms/form-view.tsx'
import type { Texts } from '#texts/texts.ts'
import type { View } from './page.ts'
import type { Level, Levels, PageRequest } from './page-request.ts'
import { DASHBOARD_PATH } from './paths.ts'
import { wayBack, withWayBack } from './way-back.ts'

type FormProps = ComponentProps<typeof Form>

/**
 * The names of fields that stand one below the other, a group of fields under its legend or folded under its summary, or an
 * element between them.
 */
export type Rows = readonly string[] | Part<typeof FieldGroup> | Part<typeof FoldedRows> | VNode

type Part<Component extends typeof FieldGroup | typeof FoldedRows> = Omit<
  ComponentProps<Component>,
  'state' | 'texts'
>

/** What a page shows that consists of a heading, a form and a way back. */
export interface FormParts
  extends Pick<FormProps, 'submit' | 'isDanger' | 'leave' | 'leaveText' | 'other' | 'isGuarded'>,
    Pick<HeadProps, 'about' | 'actions'> {
  /** The title of the window and of the heading. */
  title: string
  /** The title of the window alone, where several pages have the same heading. */
  windowTitle?: string
  /** The title names a person, or is a text that a person wrote. */
  isOfPeople?: boolean
  /** The way back, above the title. A text becomes a link to `leave`. */
  crumbs?: ComponentChildren
  /** Tabs below the heading, with the other pages of the same topic. */
  tabs?: ComponentChildren
  /** Banners above the form. */
  notices?: ComponentChildren
  /** The address that the form is sent to. The default is the address of the page itself. */
  action?: string
  /** What a page that asks keeps as it is. The link that leaves the page says so. */
  keeps?: keyof Texts['page']['keep']
  /** The form may be sent twice, with other values each time. */
  isRepeatable?: boolean
  /** Sentences above the fields that say what will happen, on a page that asks for a confirmation. Its form stands on a card. */
  will?: readonly ComponentChildren[]
  /** The rows of the form. By default all fields stand one below the other. */
  rows?: readonly Rows[]
  /** `above` stands in the form above all else, and `more` below its fields. */
  above?: ComponentChildren
  more?: ComponentChildren
  isOnCard?: boolean
  /** What stands on the card above the form. */
  lead?: ComponentChildren
  /** Replaces the form where there is nothing to send. With null, nothing stands there. */
  instead?: ComponentChildren
  /** Shows what people will get. It stands beside the form in a wide window, and else below it. */
  preview?: ComponentChildren
  /** `first` stands above the form, and `rest` below it. */
  first?: ComponentChildren
  rest?: ComponentChildren
}

/** How a form page declares what it shows: by its own parts, or by a whole view where the parts do not suffice. */
export type Shown<AtLevel extends Level, Loaded> =
  | { parts: (loaded: Loaded, request: Levels[AtLevel], state: FormState) => FormParts; view?: never }
  | { view: (loaded: Loaded, request: Levels[AtLevel], state: FormState) => View; parts?: never }

export function viewOf<AtLevel extends Level, Loaded>(
  page: Shown<AtLevel, Loaded> & { path: string; takesWayBack?: true },
  loaded: Loaded,
  request: Levels[AtLevel],
  state: FormState,
): View {
  if (page.parts === undefined) return page.view(loaded, request, state)
  const stated = page.parts(loaded, request, state)
  const address = addressOf(page.path, request)
  const { crumbs, leave } = stated
  const parts = {
    ...stated,
    crumbs: typeof crumbs === 'string' ? <a href={leave ?? ''}>{crumbs}</a> : crumbs,
  }
  if (page.takesWayBack === undefined) return viewOfParts(parts, address, request, state)
  const back = { ...parts, leave: wayBack(request) ?? leave }
  return viewOfParts(back, withWayBack(address, request), request, state)
}

function viewOfParts(parts: FormParts, address: string, request: PageRequest, state: FormState): View {
  const { title, isOfPeople, crumbs, about, actions, tabs, notices, instead, first, preview, rest } = parts
  const heading = isOfPeople ? <bdi>{title}</bdi> : title
  const own = { action: address, state, request }
  const main = instead === undefined ? <FormOfParts parts={parts} {...own} /> : instead
  const form = !preview ? (
    main
  ) : (
    <div class="beside">
      {main}
      {preview}
    </div>
  )
  const body = (
    <>
      <Head title={heading} crumbs={crumbs} about={about} actions={actions} />
      {tabs}
      {notices}
      {first === undefined ? (
        form
      ) : (
        <div class="stack">
          {first}
          {form}
        </div>
      )}
      {rest}
    </>
  )
  return {
    title: parts.windowTitle ?? title,
    body: rest === undefined ? body : <div class="stack">{body}</div>,
  }
}

/** Returns the address of a page with the parameters of the request. */
function addressOf(path: string, { params }: PageRequest): string {
  return DASHBOARD_PATH + path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? '')
}

interface PartProps {
  parts: FormParts
  action: string
  state: FormState
  request: PageRequest
}

function FormOfParts({ parts, action, state, request }: PartProps) {
  const { texts } = request.voice
  const { submit, isDanger, leave, other, isGuarded, isRepeatable, lead, will, keeps } = parts
  const leaveText = keeps === undefined ? parts.leaveText : texts.page.keep[keeps]
  const form = (
    <Form
      state={isRepeatable ? { ...state, formId: undefined } : state}
      texts={texts}
      action={parts.action ?? action}
      {...{ submit, isDanger, leave, leaveText, other, isGuarded }}
    >
      {parts.above}
      {will !== undefined && <Will sentences={will} />}
      <FieldsOfParts rows={parts.rows} state={beginsWith(parts, state)} texts={texts} />
      {parts.more}
    </Form>
  )
  if (lead !== undefined) {
    return (
      <div class="card stack">
        {lead}
        {form}
      </div>
    )
  }
  return will !== undefined || parts.isOnCard ? <div class="card">{form}</div> : form
}

/**
 * Has work begin in the first field of a page that creates something and is nothing but its form. After a refusal it begins with
 * what was wrong.
 */
function beginsWith({ first, preview, rest, lead, will, notices }: FormParts, state: FormState): FormState {
  const others = [first, preview, rest, lead, will, notices]
  const [name = '', field] = Object.entries(state.fields)[0] ?? []
  const isTyped = field?.control.kind === 'input' || field?.control.kind === 'area'
  if (!isTyped || state.was !== undefined || isRefused(state)) return state
  if (others.some(part => part !== undefined)) return state
  return { ...state, fields: { ...state.fields, [name]: { ...field, isFirst: true } } }
}

interface RowsProps {
  rows: readonly Rows[] | undefined
  state: FormState
  texts: Texts
}

function FieldsOfParts({ rows, ...of }: RowsProps) {
  if (rows === undefined) return <FieldRows {...of} />
  return (
    <>
      {rows.map(some => {
        if (isValidElement(some)) return some
        if ('summary' in some) return <FoldedRows {...of} {...some} />
        return 'legend' in some ? <FieldGroup {...of} {...some} /> : <FieldRows {...of} names={some} />
      })}
    </>
  )
}

export function Will({ sentences }: { sentences: readonly ComponentChildren[] }) {
  return (
    <ul class="will">
      {sentences.map(sentence => (
        <li>{sentence}</li>
      ))}
    </ul>
  )
}

/**
 * Returns the parts of a page that asks before it acts on something that people have named.
 *
 * @param will sentences, which may contain the name
 */
export function question({ will, ...parts }: FormParts & { will: readonly string[] }): FormParts {
  return { ...parts, isOfPeople: true, will: will.map(sentence => <bdi key={sentence}>{sentence}</bdi>) }
}

interface Removal extends FormParts {
  will: readonly string[]
  /** Why it cannot be removed, and what can be done instead. It is undefined if it can be removed. */
  refusal: { because: readonly string[]; instead: ComponentChildren } | undefined
}

/** Returns the parts of a page that asks before it removes something for good, or says why that is impossible. */
export function removal({ refusal, ...parts }: Removal): FormParts {
  const confirmation = question({ ...parts, isDanger: true })
  if (refusal === undefined) return confirmation
  const instead = (
    <Banner tone="warn" action={refusal.instead}>
      {refusal.because.map(sentence => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Banner>
  )
  return { ...confirmation, instead }
}
