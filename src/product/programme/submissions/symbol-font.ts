/**
 * What the places of Word's Symbol font stand for, from U+F020 on, sixteen a line; a box where there is nothing. Adobe's table of the
 * font has the letters (https://www.unicode.org/Public/MAPPINGS/VENDORS/ADOBE/symbol.txt); Unicode has had the parts of brackets since.
 */
const PLACES = [
  ' !∀#∃%&∋()∗+,−./',
  '0123456789:;<=>?',
  '≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟ',
  'ΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_',
  '‾αβχδεφγηιϕκλμνο',
  'πθρστυϖωξψζ{|}∼□',
  '□□□□□□□□□□□□□□□□',
  '□□□□□□□□□□□□□□□□',
  '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓',
  '°±″≥×∝∂•÷≠≡≈…⏐⎯↵',
  'ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉',
  '∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓',
  '◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪',
  '□⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭□',
].join('')

const FIRST = 0xf020
const NOTHING = '□'

/**
 * Returns a text with what was pasted from Word in its Symbol font as the characters that it shows there. They come as U+F020 to
 * U+F0FF, which are nobody's in Unicode: without that font a reader sees a box for each. Other characters stay as they are.
 */
export function withoutSymbolFont(text: string): string {
  return text.replace(/[\uf020-\uf0ff]/g, char => {
    const meant = PLACES[char.charCodeAt(0) - FIRST]
    return meant === undefined || meant === NOTHING ? char : meant
  })
}
