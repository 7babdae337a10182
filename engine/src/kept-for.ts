/** Makes a value once for each object; it is kept for as long as the object is. */
export function keptFor<Of extends object, Rest extends readonly unknown[], Made>(
  make: (of: Of, ...rest: Rest) => Made,
): (of: Of, ...rest: Rest) => Made {
  const kept = new WeakMap<Of, Made>()
  return (of, ...rest) => {
    const known = kept.get(of)
    if (known !== undefined) return known
    const made = make(of, ...rest)
    kept.set(of, made)
    return made
  }
}

/** Makes a value once for each object and key; undefined is made again. */
export function keptForEach<Of extends object, Key, Made>(
  make: (of: Of, key: Key) => Made,
): (of: Of, key: Key) => Made {
  const kept = new WeakMap<Of, Map<Key, Made>>()
  return (of, key) => {
    const ofObject = kept.get(of) ?? new Map<Key, Made>()
    kept.set(of, ofObject)
    const known = ofObject.get(key)
    if (known !== undefined) return known
    const made = make(of, key)
    if (made !== undefined) ofObject.set(key, made)
    return made
  }
}

/** Makes a value when it is first requested. */
export function once<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
