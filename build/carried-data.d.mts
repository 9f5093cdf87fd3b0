export class CarriedData {
  constructor(options: { isApart: boolean })
  hold(name: string, text: string): string
  part(program: string): { program: string; data: string }
}
