/** A real Chromium for tests of the console, and what its page sends. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { unless } from '../requirement.ts'

const program = '/usr/bin/chromium'
export const skip = unless('chromium', existsSync(program), 'needs Chromium in /usr/bin/chromium')

/** Without its sandbox, which root may not use. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-dev-shm-usage'] })

export interface OpenPage {
  readonly context: BrowserContext
  readonly page: Page
  /** What the browser refused to load or run, and errors of the page's own: in words. */
  readonly complaints: string[]
  /** Requests of the page to the engine. */
  readonly sent: { readonly method: string; readonly url: string; readonly body: unknown }[]
}

/** A page in a window of its own: nothing is kept of the last one. */
export async function openPage(
  browser: Browser,
  url: string,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, colorScheme })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  const complaints: string[] = []
  const sent: OpenPage['sent'] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('dialog', (dialog) => complaints.push(`a dialog says ${dialog.message()}`))
  page.on('request', (request) =>
    sent.push({ method: request.method(), url: request.url(), body: request.postDataJSON() as unknown }),
  )
  await page.exposeFunction('complainOfPolicy', (text: string) => complaints.push(text))
  await page.addInitScript({
    content: `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      complainOfPolicy(\`the policy \${violatedDirective} forbids \${blockedURI}\`))`,
  })
  await page.goto(`${url}/console`)
  return { context, page, complaints, sent }
}

export async function signIn(page: Page, secret: string): Promise<void> {
  await page.getByLabel('Admin secret').fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Puts a text in place of an editor's, as a person types. */
export async function write(page: Page, editor: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: editor }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  // typing brings completions along; a paste is taken as it is
  await page.evaluate(`{
    const within = (root) => root.activeElement?.shadowRoot ? within(root.activeElement.shadowRoot) : root.activeElement
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', ${JSON.stringify(text)})
    within(document)?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }`)
}

/** A picture of what is seen, for the docs: small, as it is kept in the repository. Where SVC_SCREENSHOTS names no folder: none. */
export async function picture({ context, page }: OpenPage, name: string): Promise<void> {
  const folder = process.env.SVC_SCREENSHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  const session = await context.newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 70 })
  await session.detach()
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, 'base64'))
}
