import type { InputDeclaration } from './attributes-of.ts'

/** What becomes of the body of a request or a response. */
export const bodyTransform: InputDeclaration = {
  description: 'What becomes of the body.',
  typeName: 'BodyTransform',
  of: {
    action: { description: 'What becomes of the body.', typeName: 'BodyAction', default: 'transform' },
    template: 'Of `transform`: a template that yields the new body, as JSON.',
    form_template: 'Of `x_www_form_urlencoded`: a template for each field of the form.',
  },
}
