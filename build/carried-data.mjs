/**
 * What a program carries and reads only when it first needs it: fonts, codecs, the scanner's page, packages that are seldom used. As
 * texts in the code, each start would scan them and keep them in memory twice: see `offerCarriedData` in
 * `src/machinery/ops/compiled-code.ts`.
 */
export class CarriedData {
  #isApart
  /** @type {Map<string, string>} */
  #texts = new Map()

  /** @param {{ isApart: boolean }} options whether it stands in a comment behind the program; else in the code */
  constructor({ isApart }) {
    this.#isApart = isApart
  }

  /**
   * @param {string} name
   * @param {string} text in ASCII, without the end of a comment
   * @returns {string} what stands for it in the sources
   */
  hold(name, text) {
    if (text.includes('*/'))
      throw new Error(`The data "${name}" would end the comment that it is carried in.`)
    this.#texts.set(name, text)
    return JSON.stringify(this.#isApart ? `carried:${name}` : text)
  }

  /**
   * @param {string} program bundled
   * @returns {{ program: string, data: string }} the program that reads the data where it had their names, and what it uses of them
   */
  part(program) {
    let data = ''
    const parted = program.replaceAll(/(["'`])carried:([\w@/.-]+)\1/g, (_, __, name) => {
      const begin = data.length
      data += this.#texts.get(name)
      return `module.carried.toString("latin1",${begin},${data.length})`
    })
    return { program: parted, data }
  }
}
