import { Fragment } from 'preact'

/** Lets a long path or code break into the next line where a person would break it. The text stays the same. */
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
