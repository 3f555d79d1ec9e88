//! Filler text: words without meaning that stand where text will be.

/// Words of the usual filler text and of what its generators add to it, in lower case, without words that are common
/// in a modern language.
const WORDS: &str = " lorem ipsum dolor sit amet consectetur consectetuer adipiscing adipisicing elit eiusmod \
    incididunt labore dolore magna aliqua aliquam veniam nostrud nostrum exercitation ullamco laboris nisi \
    aliquip commodo consequat duis aute irure reprehenderit voluptate velit cillum fugiat nulla pariatur \
    excepteur occaecat cupidatat proident culpa officia deserunt mollit laborum nibh euismod tincidunt \
    laoreet aliquet vestibulum curabitur pellentesque habitant morbi tristique senectus netus malesuada \
    fames turpis egestas vivamus fermentum vehicula dapibus posuere cubilia curae donec ullamcorper \
    suspendisse potenti phasellus sollicitudin faucibus orci luctus ultrices praesent blandit scelerisque \
    nascetur ridiculus mus parturient montes penatibus sociis natoque dis etiam rhoncus maecenas tempus \
    tellus condimentum semper quam vulputate eget arcu enim justo rhoncus imperdiet venenatis felis pretium \
    integer cras vivamus elementum nisi aenean leo porttitor consequat eleifend ligula lectus viverra \
    feugiat metus varius quisque rutrum imperdiet ultricies augue bibendum sodales sagittis fringilla mauris \
    gravida hendrerit lobortis interdum iaculis convallis facilisis sapien molestie accumsan volutpat \
    pharetra mollis vel risus purus neque porro quisquam dolorem quia voluptatem accusantium doloremque \
    laudantium totam aperiam eaque inventore veritatis architecto beatae vitae dicta explicabo nemo \
    ipsam aspernatur odit fugit consequuntur magni eos ratione sequi nesciunt numquam tempora \
    quaerat minima nostrum corporis suscipit laboriosam aliquid commodi autem eum iure quam nihil molestiae \
    illum quo voluptas nulla accusamus iusto odio dignissimos ducimus blanditiis praesentium voluptatum \
    deleniti atque corrupti quos quas molestias excepturi sint occaecati cupiditate similique mollitia animi \
    laborum dolorum fuga harum quidem rerum facilis expedita distinctio nam libero tempore cum soluta nobis \
    eligendi optio cumque impedit minus quod maxime placeat facere possimus omnis assumenda repellendus \
    temporibus quibusdam officiis debitis necessitatibus saepe eveniet voluptates repudiandae recusandae \
    itaque earum hic tenetur sapiente delectus reiciendis voluptatibus maiores alias perferendis doloribus \
    asperiores repellat urna lacus lacinia ornare pulvinar auctor congue nullam nec erat dictum massa \
    mattis cursus tortor dui diam nunc ac ante proin placerat vivamus id sed ut et in ad qui est non ";

/// Words of [`WORDS`] that other languages have as well, so they are no sign of filler text by themselves.
const COMMON: &str = " id sed ut et in ad qui est non ac ante cum quam quo quas quos hic vel nam leo mus dis sit eum \
    massa facile libero tempo alias integer semper magna animi culpa cursus sodales soluta vitae minus \
    maxime dolor placeat enim nec urna fuga dolore magni omnis erat quod nunc etiam ";

/// Whether a text is filler text: at least a third of its words are of the usual filler text, and at least two of
/// them are words of no modern language.
pub(crate) fn is_filler(text: &str) -> bool {
    let (mut all, mut filler, mut certain) = (0_usize, 0_usize, 0_usize);
    for word in text
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty())
    {
        all += 1;
        let word = word.to_lowercase();
        if has(WORDS, &word) {
            filler += 1;
            certain += usize::from(!has(COMMON, &word));
        }
    }
    certain >= 2 && filler * 3 >= all
}

fn has(words: &str, word: &str) -> bool {
    let wanted = format!(" {word} ");
    words.contains(&wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_filler_generators_are_filler() {
        for text in [
            "Lorem ipsum dolor sit amet, consectetur adipiscing elit.",
            "Donec ullamcorper nulla non metus auctor fringilla.",
            "Nemo enim ipsam voluptatem quia voluptas sit aspernatur aut odit aut fugit",
            "Vestibulum id ligula porta felis euismod semper.",
        ] {
            assert!(is_filler(text), "{text}");
        }
    }

    #[test]
    fn texts_of_languages_are_not_filler() {
        for text in [
            "Our two ferries cross the bay every day of the year.",
            "Il est six heures et le bateau est dans le port, qui est vide.",
            "La casa non è lontana dal porto, ma la massa d'acqua è libero spazio.",
            "O porto não está longe, mas quem vem cedo vê o mar e a massa de nuvens.",
            "Gallia est omnis divisa in partes tres, quarum unam incolunt Belgae.",
            "The words lorem ipsum are the start of a text that designers use instead of real text.",
            "",
        ] {
            assert!(!is_filler(text), "{text}");
        }
    }
}
