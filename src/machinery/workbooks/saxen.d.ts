// The package has no types of its own.
declare module 'saxen' {
  type Decode = (text: string) => string

  export class Parser {
    on(
      event: 'openTag',
      take: (
        name: string,
        attributes: () => Record<string, string>,
        decode: Decode,
        isClosed: boolean,
      ) => void,
    ): this
    on(event: 'closeTag', take: (name: string, decode: Decode, isClosed: boolean) => void): this
    on(event: 'text', take: (text: string, decode: Decode) => void): this
    on(event: 'cdata' | 'comment' | 'attention' | 'question', take: (text: string) => void): this
    on(event: 'error', take: (error: Error) => void): this
    write(xml: string): this
    end(): Error | undefined
  }
}
