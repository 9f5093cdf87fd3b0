import { renderToString } from 'preact-render-to-string'
import { Copyable } from '#machinery/web/components/copyable.tsx'
import type { Texts } from '#texts/texts.ts'

interface SnippetProps {
  /** The address of the service as people reach it, without a slash at its end. */
  baseUrl: string
  /** The path of the public page that the link leads to, and of the page for frames. */
  page: string
  frame: string
  /** The words of the link. */
  label: string
  texts: Texts
}

/** Shows what organizers copy into their own site: a link that opens a dialog, or a frame in the middle of a page. */
export function EmbedSnippet({ baseUrl, page, frame, label, texts }: SnippetProps) {
  const { site } = texts
  const script = <script src={`${baseUrl}/assets/embed.js`} data-close={site.close} async />
  const link = (
    <a href={baseUrl + page} data-turnout="">
      {label}
    </a>
  )
  const inline = (
    <iframe
      src={baseUrl + frame}
      data-turnout=""
      title={label}
      width="100%"
      height="600"
      style="border:0"
      loading="lazy"
    />
  )
  const codeOf = (part: typeof link) => `${renderToString(part)}\n${renderToString(script)}`
  return (
    <>
      <p class="quiet">{site.dialogAbout}</p>
      <Copyable label={site.dialog} text={codeOf(link)} texts={texts} />
      <p class="quiet">{site.inlineAbout}</p>
      <Copyable label={site.inline} text={codeOf(inline)} texts={texts} />
    </>
  )
}
