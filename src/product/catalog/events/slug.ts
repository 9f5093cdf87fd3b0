import { fold } from '../words.ts'

const LONGEST = 80

/** Latin for Cyrillic and Greek, a letter at a time. Other scripts have no spelling that goes by the letter. */
const LATIN = new Map(
  `аa бb вv гg ґg дd еe єye жzh зz иi іi јj кk лl љlj мm нn њnj оo пp рr сs тt ћc ђdj уu фf хkh цts чch џdz шsh щshch ъ ыy ь эe
   юyu яya αa βb γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs τt υy φf χch ψps ωo`
    .split(/\s+/)
    .map(pair => [pair.slice(0, 1), pair.slice(1)]),
)

/** What an event of this title is called in addresses: `[a-z0-9-]`, at most 80 characters; `event`, where nothing of it is Latin. */
export function slugOf(title: string): string {
  const latin = fold(title)
    .replace(/[α-џґ]/gu, letter => LATIN.get(letter) ?? '')
    .replaceAll("'", '')
  const words = latin.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
  // Whole words, if there is more than one.
  const slug = words.length > LONGEST ? words.slice(0, LONGEST + 1).replace(/-[^-]*$/, '') : words
  return slug.slice(0, LONGEST) || 'event'
}

/** `slug-2` and so on, of the same length at most. */
export function withNumber(slug: string, number: number): string {
  const suffix = `-${number}`
  return slug.slice(0, LONGEST - suffix.length).replace(/-+$/, '') + suffix
}
