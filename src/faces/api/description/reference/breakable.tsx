import { Fragment } from 'preact'

/** Lets a long path or code go on in the next line where a person would break it; the text stays the same. */
export function Breakable({ text }: { text: string }) {
  return (
    <>
      {text.split(/(?<=[/_])/).map((part, at) => (
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </>
  )
}
