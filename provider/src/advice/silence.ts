import { z } from 'zod'
import { DirectoryError, parseYaml } from '../directory/index.ts'

/** In the project's folder: advice that is not wanted, and why. */
export const silenceFile = 'advice.yaml'

const file = z.strictObject({
  silence: z.array(
    z.strictObject({
      rule: z.string(),
      /** The object's name; without it the rule is silenced everywhere. */
      object: z.string().optional(),
      reason: z.string().trim().min(1, 'a reason is needed'),
    }),
  ),
})

export type Silence = z.infer<typeof file>['silence'][number]

/** What such a file says. Throws DirectoryError. */
export function readSilence(text: string, shown: string): readonly Silence[] {
  const read = file.safeParse(parseYaml(text, shown))
  if (read.success) return read.data.silence
  const [issue] = read.error.issues
  const problem = `${issue?.path.join('.')}: ${issue?.message}`
  throw new DirectoryError(`${shown}: ${problem}`, { file: shown, line: null, problem })
}
