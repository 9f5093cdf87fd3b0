import { withQuery } from '#machinery/web/link.ts'
import { type Language, languages } from '#texts/languages.ts'
import type { Speech } from '../voice.ts'

/** The languages as Open Graph names them, with the place whose dates the pages write. */
const locales: Readonly<Record<Language, string>> = { en: 'en_GB', es: 'es_ES' }

/**
 * Returns the one address of a page for search engines. A page in a language that its address names is a page of its own. Without
 * a name, the page is in the language of whoever asks.
 *
 * @param url of the page without a language
 */
export function addressIn(url: string, { language, isChosen }: Speech): string {
  return isChosen ? withQuery(url, { lang: language }) : url
}

interface PageMetaProps {
  /** The address of the page without a language. */
  url: string
  speech: Speech
  title: string
}

/** Names the address of a page, and the same page in each language, for search engines and for apps that show a preview. */
export function PageMeta({ url, speech, title }: PageMetaProps) {
  const canonical = addressIn(url, speech)
  const others = languages.filter(language => language !== speech.language)
  return (
    <>
      <link rel="canonical" href={canonical} />
      {languages.map(language => (
        <link key={language} rel="alternate" hreflang={language} href={withQuery(url, { lang: language })} />
      ))}
      <link rel="alternate" hreflang="x-default" href={url} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:url" content={canonical} />
      <meta property="og:locale" content={locales[speech.language]} />
      {others.map(language => (
        <meta key={language} property="og:locale:alternate" content={locales[language]} />
      ))}
    </>
  )
}
