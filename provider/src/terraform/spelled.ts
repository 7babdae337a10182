import { kindNamed, recordNamed } from '../resources/index.ts'
import { typeNameOf } from './types.ts'

/** A description in the names that Terraform's users know: `` `CustomType` `` becomes `` `svc_custom_type` ``. */
export const spelled = (text: string): string =>
  text.replace(/`([A-Z][A-Za-z]+)`/g, (word, name: string) => {
    const kind = kindNamed(name) ?? recordNamed(name)
    return kind ? `\`${typeNameOf(kind.name)}\`` : word
  })
