import { renderToString } from 'preact-render-to-string'
import {
  editOf as editOfAccount,
  settingsParts as partsOfAccount,
} from '#faces/dashboard/administration/account-settings.tsx'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { type AccentColours, accentOf } from '#machinery/web/accent.ts'
import { ButtonLink, PostButton } from '#machinery/web/components/parts.tsx'
import { choiceField, textField } from '#machinery/web/forms/field.ts'
import { setColourWithLater } from '#product/catalog/looks/later-looks.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import { type CarriedLook, colourSchema } from '#product/catalog/looks/schemas.ts'
import type { Texts } from '#texts/texts.ts'
import { editOf, type LoadedEvent, loadEvent, settingsParts } from './event-settings.tsx'
import { chosenLater, onlyThis, saveForFields } from './later-dates.tsx'

/** Where the colour comes from: from whoever is above, or from the field below. */
const sources = ['above', 'own'] as const
/** The colour with which the field begins. */
const TURNOUT = '#2855ad'

const fieldsOf = (level: 'account' | 'event') => ({
  colour_from: choiceField(
    sources,
    ({ look }) => sources.map(value => ({ value, label: look[level][value] })),
    { label: ({ look }) => look.colourFrom },
    'radios',
  ),
  colour: textField(colourSchema, {
    label: ({ look }) => look.colour,
    help: ({ look }) => look.colourHelp,
    control: { kind: 'input', type: 'color' },
  }),
})

interface Loaded {
  /** What is shown: its own, or what it has from above. */
  shown: CarriedLook
  hasLogo: boolean
  colour: string | null
}

interface LoadedWithLater extends Loaded, LoadedEvent {}

async function load(tx: Parameters<typeof looks.carry>[0], owner: looks.Owner): Promise<Loaded> {
  const own = await looks.findOwn(tx, owner)
  return { shown: await looks.carry(tx, owner), hasLogo: own.logo !== null, colour: own.colour }
}

const valuesOf = ({ colour, shown }: Loaded) => ({
  colour_from: colour === null ? ('above' as const) : ('own' as const),
  colour: colour ?? shown.colour ?? TURNOUT,
})

/** Returns the colour that the form shows as chosen. */
function chosenOf({ colour_from, colour }: ReturnType<typeof valuesOf>): string | null {
  return colour_from === 'own' ? colour : null
}

/** Edits the colour of an organization, and leads to its logo. */
export const accountLook = formPage('account', {
  ...editOfAccount('look'),
  path: '/a/{account}/settings/look',
  load: async (tx): Promise<Loaded> => load(tx, null),
  fields: () => fieldsOf('account'),
  current: valuesOf,
  parts: (loaded, request) => ({
    ...partsOfAccount('look', request),
    ...around(loaded, request.voice.texts, paths.accountLogo(request.account.id)),
  }),
  act: async (tx, { account }, { values }) => {
    await looks.setColour(tx, null, chosenOf(values))
    return account
  },
})

/** Edits the colour of one event, and leads to its logo. */
export const eventLook = formPage('event', {
  ...editOf('look'),
  path: '/e/{event}/settings/look',
  load: async (tx, request): Promise<LoadedWithLater> => ({
    ...(await load(tx, request.event.id)),
    ...(await loadEvent(tx, request)),
  }),
  fields: ({ later }) => ({
    ...fieldsOf('event'),
    ...saveForFields(later, ({ series }) => series.alsoColour),
  }),
  current: loaded => ({ ...valuesOf(loaded), ...onlyThis }),
  parts: (loaded, request, state) => ({
    ...settingsParts('look', request, state),
    ...around(loaded, request.voice.texts, paths.eventLogo(request.event.id), loaded.later.length),
  }),
  act: async (tx, _, { values, loaded: { event, later } }) => {
    const chosen = chosenLater(later, values)
    const others = await setColourWithLater(tx, event.id, chosenOf(values), chosen)
    return { id: event.id, title: event.title, later: others }
  },
})

/** @param later how many later dates a change may go to as well */
function around(loaded: Loaded, texts: Texts, upload: string, later = 0) {
  return {
    first: <LogoCard loaded={loaded} texts={texts} upload={upload} later={later} />,
    more: <Samples colour={loaded.shown.colour ?? TURNOUT} texts={texts} />,
  }
}

interface LogoProps {
  loaded: Loaded
  texts: Texts
  upload: string
  later: number
}

function LogoCard({ loaded, texts, upload, later }: LogoProps) {
  const { look } = texts
  const { logo } = loaded.shown
  return (
    <section class="card stack" aria-labelledby="logo">
      <h2 id="logo">{look.logo}</h2>
      <p class="quiet">{look.logoAbout}</p>
      {logo === null ? (
        <p class="quiet">{look.noLogo}</p>
      ) : (
        <>
          <p>
            <img
              class="logo"
              src={`data:image/png;base64,${logo.file.toString('base64')}`}
              alt={look.logo}
              width={Math.ceil(logo.width / 2)}
              height={Math.ceil(logo.height / 2)}
            />
          </p>
          {!loaded.hasLogo && <p class="quiet">{look.isOfOrganization}</p>}
        </>
      )}
      <div class="row">
        <ButtonLink href={upload}>{loaded.hasLogo ? look.replaceLogo : look.addLogo}</ButtonLink>
        {loaded.hasLogo && <PostButton action={`${upload}/remove`}>{look.removeLogo}</PostButton>}
        {loaded.hasLogo && later > 0 && (
          <PostButton action={`${upload}/remove`} fields={{ save_for: 'later' }}>
            {look.removeLater(later)}
          </PostButton>
        )}
      </div>
    </section>
  )
}

/** Shows what is made of the saved colour: a link and a button, in the light and in the dark. */
function Samples({ colour, texts }: { colour: string; texts: Texts }) {
  const { light, dark } = accentOf(colour)
  return (
    <div>
      <p class="help">{texts.look.samples}</p>
      <div class="row">
        <Sample colours={light} ground="#ffffff" name={texts.look.light} label={texts.look.button} />
        <Sample colours={dark} ground="#161a20" name={texts.look.dark} label={texts.look.button} />
      </div>
    </div>
  )
}

const FONT = { 'font-family': 'system-ui, sans-serif', 'font-size': '15', 'font-weight': '600' }

function Sample({
  colours,
  ground,
  name,
  label,
}: {
  colours: AccentColours
  ground: string
  name: string
  label: string
}) {
  const drawn = (
    <svg xmlns="http://www.w3.org/2000/svg" width="176" height="104" viewBox="0 0 176 104">
      <title>{name}</title>
      <rect x="0.5" y="0.5" width="175" height="103" rx="10" fill={ground} stroke="#7f8792" />
      <text {...FONT} x="16" y="32" fill={colours.accent} text-decoration="underline">
        {name}
      </text>
      <rect x="16" y="48" width="144" height="40" rx="6" fill={colours.accent} />
      <text {...FONT} x="88" y="73" text-anchor="middle" fill={colours.on}>
        {label}
      </text>
    </svg>
  )
  const picture = `data:image/svg+xml,${encodeURIComponent(renderToString(drawn))}`
  return <img class="sample" src={picture} width="176" height="104" alt={name} />
}
