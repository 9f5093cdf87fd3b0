import { fold } from '#base/fold.ts'

const LONGEST = 80

/** Latin spellings of Cyrillic and Greek letters, one letter at a time. Other scripts cannot be spelled letter by letter. */
const LATIN = new Map(
  `аa бb вv гg ґg дd еe єye жzh зz иi іi јj кk лl љlj мm нn њnj оo пp рr сs тt ћc ђdj уu фf хkh цts чch џdz шsh щshch ъ ыy ь эe
   юyu яya αa βb γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs τt υy φf χch ψps ωo`
    .split(/\s+/)
    .map(pair => [pair.slice(0, 1), pair.slice(1)]),
)

/** Returns the slug for a title: `[a-z0-9-]`, at most 80 characters. It is `event` if nothing of the title is Latin. */
export function slugOf(title: string): string {
  const latin = fold(title)
    .replace(/[α-џґ]/gu, letter => LATIN.get(letter) ?? '')
    .replaceAll("'", '')
  const words = latin.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
  // If there is more than one word, only whole words stay.
  const slug = words.length > LONGEST ? words.slice(0, LONGEST + 1).replace(/-[^-]*$/, '') : words
  return slug.slice(0, LONGEST) || 'event'
}

/** Returns `slug-2` and so on, of at most the same length. */
export function withNumber(slug: string, number: number): string {
  const suffix = `-${number}`
  return slug.slice(0, LONGEST - suffix.length).replace(/-+$/, '') + suffix
}
