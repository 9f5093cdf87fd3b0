import type { LocalCa } from '#machinery/http/local-ca/kept.ts'
import { Document } from '#machinery/web/document.tsx'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'

/** The files are below `/trust`. The paths are relative, because a proxy may put another path before them. */
const FILES = { certificate: 'trust/turnout.crt', profile: 'trust/turnout.mobileconfig' } as const

interface TrustPageProps {
  language: Language
  ca: LocalCa
  baseUrl: string
}

export function TrustPage({ language, ca, baseUrl }: TrustPageProps) {
  const { trust: texts, page } = textsIn(language)
  const scanner = `${baseUrl}/door/`
  return (
    <Document language={language} title={[texts.title, page.product]}>
      <header class="bar">
        <span class="event">
          <b>{page.product}</b>
        </span>
      </header>
      <main id="content" class="narrow stack">
        <h1>{texts.title}</h1>
        <p>{texts.about}</p>
        <p class="row">
          <a class="button main" href={FILES.profile}>
            {texts.profile}
          </a>
          <a class="button" href={FILES.certificate}>
            {texts.certificate}
          </a>
        </p>
        <section class="card prose">
          <h2>{texts.compare}</h2>
          <p>
            <b>{ca.name}</b>
          </p>
          <p>
            <code>{ca.fingerprint}</code>
          </p>
          <p class="quiet">{texts.compareAbout}</p>
        </section>
        <section class="card prose">
          <h2>{texts.ios}</h2>
          <ol>
            {texts.iosSteps(ca.name).map(step => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </section>
        <section class="card prose">
          <h2>{texts.android}</h2>
          <ol>
            {texts.androidSteps.map(step => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </section>
        <section class="card prose">
          <h2>{texts.computers}</h2>
          <p>{texts.windows}</p>
          <p>{texts.mac}</p>
        </section>
        <section class="card prose">
          <h2>{texts.next}</h2>
          <p>
            <a href={scanner}>{scanner}</a>
          </p>
          <p class="quiet">{texts.without}</p>
          <p class="quiet">{texts.afterwards}</p>
        </section>
      </main>
    </Document>
  )
}
