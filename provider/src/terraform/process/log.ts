/** Lines for Terraform's log (TF_LOG), in the form that go-plugin reads levels from. */
export function logLine(level: 'error' | 'warn' | 'info' | 'debug', message: string, fields: object = {}): string {
  const at = new Date().toISOString()
  return `${JSON.stringify({ '@level': level, '@message': message, '@module': 'svc', '@timestamp': at, ...fields })}\n`
}
