import type { ComponentChildren } from 'preact'
import type { FormState } from '#machinery/web/forms/form.ts'
import { FieldGroup, FieldRows, Form } from '#machinery/web/forms/form-view.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import type { Texts } from '#texts/texts.ts'
import { ASKED, printAsked } from './answers.ts'
import { countWords, MAX_AFFILIATIONS, MAX_AUTHORS } from './content.ts'
import {
  AFFILIATIONS,
  AUTHORS,
  affiliationField,
  authorField,
  CHANGE_ROWS,
  type Counts,
  HEADING,
  PRESENTER,
  printChange,
  type RowChange,
} from './rows.ts'
import { formerOf, groupsOf, headingsOf, presenterField, sectionField } from './submission-fields.ts'

interface Props {
  state: FormState
  call: Call
  counts: Counts
  isNew: boolean
  /** Of whoever writes, once that is known. */
  email?: string
  voice: Voice
  /** The address that saves. */
  action: string
  /** The second address checks, and leads on to sending. */
  sendAction?: string
  /** What stands before the fields, such as what shows that a person has filled them in. */
  before?: ComponentChildren
  /** What stands behind the fields. */
  after?: ComponentChildren
  leave: string
  leaveText: string
  /** The revision of the draft that the form shows. */
  revision: number
}

/** Stands in the texts for a script at the place of what it knows. */
export const BLANK = '#'

/** The field with the revision of the draft that a form shows. */
export const REVISION = 'draft.revision'
/** The places of all rows, and of all answers. */
const PEOPLE = 'people'
const ANSWERS = 'answers'
const KEYWORDS = 'keywords'

/** The form of an abstract. Its rows are added, moved and removed by buttons that send it, so it needs no script. */
export function SubmissionForm(props: Props) {
  const { state, call, counts, isNew, voice, action, sendAction, leave, leaveText, revision, email } = props
  const { texts } = voice
  const { calls } = texts
  const shown = { ...counts, typed: state.typed }
  const groups = groupsOf(call, shown, isNew)
  const presenter = presenterField(counts.authors, at => nameIn(state, at))
  const rows = { state: { ...state, fields: { ...state.fields, [PRESENTER]: presenter } }, texts }
  const words = headingsOf(call).reduce(
    (sum, heading) => sum + countWords(state.typed[sectionField(heading)]?.[0] ?? ''),
    0,
  )
  return (
    <Form
      state={state}
      texts={texts}
      action={action}
      submit={calls.save}
      other={sendAction === undefined ? undefined : { action: sendAction, text: calls.send }}
      leave={leave}
      leaveText={leaveText}
    >
      {/* The first button of a form is the one that Enter presses. */}
      <button type="submit" hidden>
        {calls.save}
      </button>
      <input type="hidden" name={REVISION} value={revision} data-revision />
      {[...headingsOf(call), ...formerOf(call, shown)].map(heading => (
        <input key={heading} type="hidden" name={HEADING} value={heading} />
      ))}
      {props.before}
      <FieldGroup
        {...rows}
        legend={calls.you}
        names={groups.you}
        {...(email === undefined ? {} : { help: calls.yourEmailIs(email) })}
      />
      <FieldGroup {...rows} legend={calls.about} names={groups.about} />
      <FieldGroup
        {...rows}
        legend={calls.text}
        about={calls.textAbout}
        names={groups.text.filter(name => name !== KEYWORDS)}
        help={
          <span data-words={calls.words(BLANK, call.max_words)}>{calls.words(words, call.max_words)}</span>
        }
      />
      <FieldRows {...rows} names={groups.text.filter(name => name === KEYWORDS)} />
      <div id={ANSWERS} data-whole>
        <input type="hidden" name={ASKED} value={printAsked(call)} />
        {groups.answers.length > 0 && (
          <FieldGroup {...rows} legend={calls.questions} names={groups.answers} />
        )}
      </div>
      {/* Numbers refer to the rows, so a script takes over all of them or none. */}
      <div class="stack" id={PEOPLE} data-whole>
        <input type="hidden" name={AUTHORS} value={counts.authors} />
        <input type="hidden" name={AFFILIATIONS} value={counts.affiliations} />
        <Affiliations {...rows} counts={counts} names={groups.affiliations} voice={voice} />
        <Authors {...rows} counts={counts} groups={groups.authors} voice={voice} />
      </div>
      {props.after}
    </Form>
  )
}

interface RowProps {
  state: FormState
  texts: Texts
  counts: Counts
  voice: Voice
}

function Affiliations({ counts, names, voice, ...rows }: RowProps & { names: readonly string[] }) {
  const { calls } = voice.texts
  return (
    <fieldset>
      <legend>{calls.affiliations}</legend>
      <p class="help">{calls.affiliationsAbout}</p>
      <div class="stack">
        {names.map((name, at) => (
          <div key={name} id={`affiliation-${at}`}>
            <FieldRows {...rows} names={[affiliationField(at)]} />
            {counts.affiliations > 1 && (
              <RowButton
                voice={voice}
                change={{ of: 'affiliation', does: 'remove', at }}
                row={calls.affiliation(at + 1)}
              />
            )}
          </div>
        ))}
        <p>
          {counts.affiliations < MAX_AFFILIATIONS ? (
            <RowButton voice={voice} change={{ of: 'affiliation', does: 'add', at: counts.affiliations }} />
          ) : (
            calls.misfits.affiliations(MAX_AFFILIATIONS)
          )}
        </p>
      </div>
    </fieldset>
  )
}

function Authors({ counts, groups, voice, ...rows }: RowProps & { groups: readonly string[][] }) {
  const { calls } = voice.texts
  return (
    <fieldset>
      <legend>{calls.authors}</legend>
      <p class="help">{calls.authorsAbout}</p>
      <div class="stack">
        {groups.map((names, at) => (
          <fieldset key={names[0]} class="card" id={`author-${at}`}>
            <legend>{calls.author(at + 1)}</legend>
            <div class="pair">
              <FieldRows {...rows} names={names} />
            </div>
            <p class="row">
              <RowButton voice={voice} change={{ of: 'author', does: 'me', at }} row={calls.author(at + 1)} />
              {at > 0 && (
                <RowButton
                  voice={voice}
                  change={{ of: 'author', does: 'up', at }}
                  row={calls.author(at + 1)}
                />
              )}
              {at < counts.authors - 1 && (
                <RowButton
                  voice={voice}
                  change={{ of: 'author', does: 'down', at }}
                  row={calls.author(at + 1)}
                />
              )}
              {counts.authors > 1 && (
                <RowButton
                  voice={voice}
                  change={{ of: 'author', does: 'remove', at }}
                  row={calls.author(at + 1)}
                />
              )}
            </p>
          </fieldset>
        ))}
        <p>
          {counts.authors < MAX_AUTHORS ? (
            <RowButton voice={voice} change={{ of: 'author', does: 'add', at: counts.authors }} />
          ) : (
            calls.misfits.authors(MAX_AUTHORS)
          )}
        </p>
        <FieldRows {...rows} names={[PRESENTER]} />
      </div>
    </fieldset>
  )
}

/** Returns the name of an author as it is typed so far. */
function nameIn({ typed }: FormState, at: number): string {
  return [typed[authorField(at, 'given')]?.[0], typed[authorField(at, 'family')]?.[0]]
    .filter(Boolean)
    .join(' ')
}

/** A button that changes the rows, which says to those who hear it which row it is of. */
function RowButton({ change, row, voice }: { change: RowChange; row?: string; voice: Voice }) {
  const { calls } = voice.texts
  const { of, does } = change
  const text = does === 'add' ? calls.add[of] : calls[does]
  return (
    <button
      type="submit"
      class="button"
      name={CHANGE_ROWS}
      value={printChange(change)}
      aria-label={row === undefined ? undefined : calls.rowOf(text, row)}
    >
      {text}
    </button>
  )
}
