import { renderToString } from 'preact-render-to-string'
import { accentOf } from '#machinery/web/accent.ts'
import { FilledMarkdown, fill, filledText } from '#machinery/web/components/markdown.tsx'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'
import type { Attachment, Content, LetterLook, MailText } from './kind.ts'

/** A mail in the form in which it is sent. Both of its texts say the same. */
export interface Letter {
  /** The organizer, who writes. */
  from: string
  replyTo: string | undefined
  subject: string
  text: string
  html: string
  attachments: readonly Attachment[]
  /** Makes the attachments that take too long for a read. */
  attach: (() => Promise<readonly Attachment[]>) | undefined
  unsubscribe: string | undefined
}

/** The most characters of a subject. */
const MAX_SUBJECT = 250

/** Returns the letter of a mail. @param own the text that replaces Turnout's */
export function composeLetter(content: Content, own: MailText, language: Language): Letter {
  const { from, replyTo, values, button, parts = [], attachments = [], attach, unsubscribe } = content
  const subject = fill(own.subject, values).replace(/\s+/g, ' ').trim().slice(0, MAX_SUBJECT)
  const texts = textsIn(language).mail
  const text = [
    filledText(own.body, values),
    ...(button === undefined ? [] : [`${button.label}:\n${button.url}`]),
    ...parts.map(part => part.text.trim()),
    [
      '-- ',
      texts.from(from),
      ...(unsubscribe === undefined ? [] : [texts.unsubscribeText(unsubscribe)]),
    ].join('\n'),
  ].join('\n\n')
  const html = `<!doctype html>${renderToString(
    <Document {...{ language, subject, body: own.body, content, texts }} />,
  )}`
  return {
    ...{ from, replyTo, subject, text: `${text}\n`, html, attach, unsubscribe },
    attachments: [...attachments, ...encloseLogo(content)],
  }
}

/** The id of the logo inside a letter. */
const LOGO = 'logo-of-organizer'

function encloseLogo({ look }: Content): Attachment[] {
  if (!look?.logo) return []
  return [{ filename: 'logo.png', contentType: 'image/png', content: look.logo.file, cid: LOGO }]
}

interface DocumentProps {
  language: Language
  subject: string
  /** Markdown with placeholders. */
  body: string
  content: Content
  texts: ReturnType<typeof textsIn>['mail']
}

/** Programs for mail know tables and little of style sheets, so important styles are at their elements. */
function Document({ language, subject, body, content, texts }: DocumentProps) {
  const { from, values, button, parts = [], unsubscribe, look } = content
  const colours = coloursOf(content)
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{styleOf(colours)}</style>
      </head>
      <body class="ground" style="margin:0;padding:0;background:#f7f8fa;color:#1b1f27">
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
          <tr>
            <td align="center" style="padding:24px 12px">
              <table
                role="presentation"
                class="letter"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                style="max-width:600px;background:#ffffff;border:1px solid #dfe3ea;border-collapse:separate;border-radius:10px"
              >
                <tr>
                  <td class="text" dir="auto" style={`padding:24px;${FONT}`}>
                    <p class="quiet" style="margin:0 0 16px;font-weight:600;color:#4d5564">
                      {look?.logo ? <LogoImage logo={look.logo} name={from} /> : <bdi>{from}</bdi>}
                    </p>
                    <FilledMarkdown text={body} values={values} />
                    {button !== undefined && (
                      <p style="margin:24px 0">
                        <a class="button" href={button.url} style={buttonStyle(colours)}>
                          {button.label}
                        </a>
                      </p>
                    )}
                    {parts.map(part => part.html)}
                  </td>
                </tr>
              </table>
              <p class="quiet" style={`margin:16px 0 0;color:#4d5564;${FONT};font-size:13px`}>
                <bdi>{texts.from(from)}</bdi>
                {unsubscribe !== undefined && (
                  <>
                    {' '}
                    <a class="quiet" href={unsubscribe} style="color:#4d5564">
                      {texts.unsubscribe}
                    </a>
                  </>
                )}
              </p>
            </td>
          </tr>
        </table>
      </body>
    </html>
  )
}

const FONT =
  "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;font-size:16px;line-height:1.5"

/** Shows the logo at half its pixels. Programs that show no pictures show the name. */
function LogoImage({ logo, name }: { logo: NonNullable<LetterLook['logo']>; name: string }) {
  const [width, height] = [Math.ceil(logo.width / 2), Math.ceil(logo.height / 2)]
  const style = 'display:block;max-width:100%;height:auto;border:0;background:#ffffff'
  return <img class="logo" src={`cid:${LOGO}`} alt={name} width={width} height={height} style={style} />
}

/** The colours of links and buttons in one letter. */
export interface LetterColours {
  light: string
  dark: string
}

const OWN: LetterColours = { light: '#2647c8', dark: '#9db4ff' }

/** Returns the colours of a letter: those of the organizer, or else Turnout's. */
export function coloursOf({ look }: Pick<Content, 'look'>): LetterColours {
  if (!look?.colour) return OWN
  const { light, dark } = accentOf(look.colour)
  return { light: light.accent, dark: dark.accent }
}

/** Returns the style of a link that looks like a button. */
export function buttonStyle({ light }: LetterColours = OWN): string {
  return `display:inline-block;padding:12px 20px;border-radius:6px;background:${light};color:#ffffff;font-weight:600;text-decoration:none`
}

const styleOf = ({ light, dark }: LetterColours) => `
.prose p, .prose ul, .prose ol, .prose blockquote, .prose pre { margin: 0 0 16px }
.prose h3 { font-size: 18px; margin: 24px 0 8px }
.prose a { color: ${light} }
.prose blockquote { padding: 0 0 0 12px; border-left: 3px solid #dfe3ea }
.prose table { border-collapse: collapse; margin: 0 0 16px }
.prose :is(th, td) { padding: 4px 12px 4px 0; border-bottom: 1px solid #dfe3ea; text-align: start; vertical-align: top }
.prose pre { white-space: pre-wrap; overflow-wrap: anywhere }
.text { overflow-wrap: anywhere }
.part .button { background: ${light} !important }
@media (prefers-color-scheme: dark) {
  .ground { background: #14161c !important; color: #eceef2 !important }
  .letter, .part { background: #1d2027 !important; border-color: #3a3f4a !important }
  .prose :is(blockquote, th, td) { border-color: #3a3f4a }
  .logo { border: 4px solid #ffffff !important; border-radius: 6px }
  .quiet, .quiet a { color: #a7adba !important }
  .prose a { color: ${dark} !important }
  .button, .part .button { background: ${dark} !important; color: #14161c !important }
}`
