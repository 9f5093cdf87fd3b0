/** A glyph of shaped text, in the order of sight, from left to right. Measures are in units of the font. */
export interface ShapedGlyph {
  id: number
  /** The start in the text of the part that it shows, together with all glyphs of the same cluster. */
  cluster: number
  advance: number
  dx: number
  dy: number
}

/** The functions that HarfBuzz exports. Pointers are offsets in its memory. */
interface HarfBuzz {
  memory: WebAssembly.Memory
  malloc(size: number): number
  free(pointer: number): void
  hb_blob_create(data: number, length: number, mode: number, user: number, destroy: number): number
  hb_face_create(blob: number, index: number): number
  hb_face_get_upem(face: number): number
  hb_font_create(face: number): number
  hb_font_set_scale(font: number, x: number, y: number): void
  hb_font_get_nominal_glyph(font: number, codePoint: number, glyph: number): number
  hb_font_get_glyph_h_advance(font: number, glyph: number): number
  hb_buffer_create(): number
  hb_buffer_clear_contents(buffer: number): void
  hb_buffer_set_flags(buffer: number, flags: number): void
  hb_buffer_set_cluster_level(buffer: number, level: number): void
  hb_buffer_set_direction(buffer: number, direction: number): void
  hb_buffer_guess_segment_properties(buffer: number): void
  hb_buffer_add_utf16(buffer: number, text: number, length: number, offset: number, count: number): void
  hb_buffer_get_glyph_infos(buffer: number, length: number): number
  hb_buffer_get_glyph_positions(buffer: number, length: number): number
  hb_shape(font: number, buffer: number, features: number, count: number): void
}

// These values are from hb-common.h, hb-blob.h and hb-buffer.h.
const DIRECTION = { ltr: 4, rtl: 5 } as const
const MEMORY_READONLY = 1
const REMOVE_DEFAULT_IGNORABLES = 8
const DO_NOT_INSERT_DOTTED_CIRCLE = 16
const CLUSTERS_OF_CHARACTERS = 1
/** The size of `hb_glyph_info_t` and of `hb_glyph_position_t`, in bytes. */
const RECORD = 20
const PAGE = 65_536
/** The units of an em in all measures here. */
const EM = 1000

/**
 * Chooses and places glyphs with HarfBuzz: letters that join, marks above and below, ligatures. The WebAssembly of the package
 * `harfbuzzjs` is called here without the package's JavaScript, which would have to find the file by itself.
 */
export class Shaper {
  readonly #harfBuzz: HarfBuzz
  readonly #buffer: number
  /** Four bytes for results that a function returns by a pointer. */
  readonly #result: number

  constructor(wasm: Uint8Array<ArrayBuffer>) {
    this.#harfBuzz = instantiate(wasm)
    this.#buffer = this.#harfBuzz.hb_buffer_create()
    this.#result = this.#harfBuzz.malloc(4)
  }

  /**
   * Opens a font. Its measures are given for an em of `EM` units, whatever its own is.
   *
   * @returns the `font` that the other methods take
   * @throws Error if there is no memory for it
   */
  open(file: Uint8Array): number {
    const data = this.#harfBuzz.malloc(file.length)
    if (data === 0) throw new Error('There is no memory for the font.')
    new Uint8Array(this.#harfBuzz.memory.buffer).set(file, data)
    const blob = this.#harfBuzz.hb_blob_create(data, file.length, MEMORY_READONLY, 0, 0)
    const face = this.#harfBuzz.hb_face_create(blob, 0)
    const font = this.#harfBuzz.hb_font_create(face)
    if (this.#harfBuzz.hb_face_get_upem(face) !== EM) this.#harfBuzz.hb_font_set_scale(font, EM, EM)
    return font
  }

  hasGlyph(font: number, codePoint: number): boolean {
    return this.#harfBuzz.hb_font_get_nominal_glyph(font, codePoint, this.#result) !== 0
  }

  advanceOf(font: number, glyph: number): number {
    return this.#harfBuzz.hb_font_get_glyph_h_advance(font, glyph)
  }

  /** Shapes a text. @param text of one script and direction, in the order of reading */
  shape(font: number, text: string, direction: 'ltr' | 'rtl'): ShapedGlyph[] {
    const hb = this.#harfBuzz
    const buffer = this.#buffer
    hb.hb_buffer_clear_contents(buffer)
    hb.hb_buffer_set_flags(buffer, REMOVE_DEFAULT_IGNORABLES | DO_NOT_INSERT_DOTTED_CIRCLE)
    hb.hb_buffer_set_cluster_level(buffer, CLUSTERS_OF_CHARACTERS)
    this.#add(text)
    hb.hb_buffer_set_direction(buffer, DIRECTION[direction])
    hb.hb_buffer_guess_segment_properties(buffer)
    hb.hb_shape(font, buffer, 0, 0)
    const infos = hb.hb_buffer_get_glyph_infos(buffer, this.#result)
    const memory = new DataView(hb.memory.buffer)
    const length = memory.getUint32(this.#result, true)
    const positions = hb.hb_buffer_get_glyph_positions(buffer, 0)
    return Array.from({ length }, (_, at) => {
      const info = infos + at * RECORD
      const position = positions + at * RECORD
      return {
        id: memory.getUint32(info, true),
        cluster: memory.getUint32(info + 8, true),
        advance: memory.getInt32(position, true),
        dx: memory.getInt32(position + 8, true),
        dy: memory.getInt32(position + 12, true),
      }
    })
  }

  #add(text: string): void {
    const hb = this.#harfBuzz
    const pointer = hb.malloc(text.length * 2)
    const memory = new DataView(hb.memory.buffer)
    for (let at = 0; at < text.length; at++) memory.setUint16(pointer + at * 2, text.charCodeAt(at), true)
    hb.hb_buffer_add_utf16(this.#buffer, pointer, text.length, 0, text.length)
    hb.free(pointer)
  }
}

function instantiate(wasm: Uint8Array<ArrayBuffer>): HarfBuzz {
  const nothing = () => 0
  const fail = () => {
    throw new Error('HarfBuzz has ended.')
  }
  const env = {
    _emscripten_runtime_keepalive_clear: nothing,
    _setitimer_js: nothing,
    _abort_js: fail,
    emscripten_resize_heap: (size: number): number => {
      const { memory } = exports
      return memory.grow(Math.ceil((size - memory.buffer.byteLength) / PAGE)) < 0 ? 0 : 1
    },
  }
  const imports = { env, wasi_snapshot_preview1: { proc_exit: fail } }
  const instance = new WebAssembly.Instance(new WebAssembly.Module(wasm), imports)
  const exports = instance.exports as unknown as HarfBuzz & { __wasm_call_ctors(): void }
  exports.__wasm_call_ctors()
  return exports
}
