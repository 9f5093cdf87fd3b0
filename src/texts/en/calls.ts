export const calls = {
  anywhere: 'anywhere on earth',
}
