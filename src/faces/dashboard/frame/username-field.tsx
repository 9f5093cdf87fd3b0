/** Tells programs that keep passwords whose it is. */
export function KnownAs({ email }: { email: string }) {
  return <input type="text" name="username" autocomplete="username" value={email} readonly hidden />
}
