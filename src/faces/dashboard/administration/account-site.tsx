import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { toSetting } from '#faces/dashboard/frame/way-back.ts'
import { Banner, ButtonLink } from '#machinery/web/components/parts.tsx'
import { linesField } from '#machinery/web/forms/lines-field.ts'
import { originsSchema } from '#product/administration/accounts/origins.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import type { AccountDetails } from '#product/administration/accounts/schemas.ts'
import type { Texts } from '#texts/texts.ts'
import { editOf, settingsParts } from './account-settings.tsx'
import { EmbedSnippet } from './embed-snippet.tsx'

const fields = {
  embed_origins: linesField(originsSchema, 4, {
    label: texts => texts.site.origins,
    help: texts => texts.site.originsHelp,
  }),
}

/** Edits which sites of an organization may show its pages in a frame, and shows what to copy into them. */
export const accountSite = formPage('account', {
  ...editOf('site'),
  path: '/a/{account}/settings/site',
  load: async (tx, _, { baseUrl }) => ({ details: await accounts.getDetails(tx), baseUrl }),
  fields: () => fields,
  current: ({ details }) => ({ embed_origins: details.embed_origins }),
  parts: ({ details, baseUrl }, request) => ({
    ...settingsParts('site', request),
    rest: <Snippets details={details} baseUrl={baseUrl} texts={request.voice.texts} />,
  }),
  act: (tx, _, { changes }) => accounts.update(tx, changes),
})

interface SnippetsProps {
  details: AccountDetails
  baseUrl: string
  texts: Texts
}

function Snippets({ details: { id, slug, embed_origins }, baseUrl, texts }: SnippetsProps) {
  const { site, eventPage } = texts
  if (slug === null) {
    const toName = toSetting(paths.accountSettings(id), 'slug', paths.accountSettings(id, 'site'))
    return (
      <Banner tone="warn" action={<ButtonLink href={toName}>{eventPage.toSettings}</ButtonLink>}>
        <p>{eventPage.noSlug}</p>
      </Banner>
    )
  }
  return (
    <section class="card stack" aria-labelledby="snippets">
      <h2 id="snippets">{site.snippets}</h2>
      {embed_origins.length === 0 && <p>{site.noOrigins}</p>}
      <EmbedSnippet
        baseUrl={baseUrl}
        page={paths.publicList(slug)}
        frame={paths.publicListFrame(slug)}
        label={texts.storefront.upcoming}
        texts={texts}
      />
      <p class="quiet">{site.ofEvents}</p>
    </section>
  )
}
