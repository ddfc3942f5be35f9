/* language_help.h - texts of three languages, for tests that tell them apart */
#ifndef DODONA_TESTS_LANGUAGE_HELP_H
#define DODONA_TESTS_LANGUAGE_HELP_H

static const char english_text[] =
    "The old man walked slowly down the street with his dog and thought about the weather . "
    "There was nothing that he would rather do in the morning than look at the river . "
    "When it rained , they stayed in the house and read what other people had written . "
    "She said that the children were playing in the garden , where the apples had fallen .";
static const char german_text[] =
    "Der alte Mann ging langsam mit seinem Hund die Strasse hinunter und dachte an das Wetter . "
    "Es gab nichts , was er am Morgen lieber getan hätte , als auf den Fluss zu schauen . "
    "Wenn es regnete , blieben sie im Haus und lasen , was andere geschrieben hatten . "
    "Sie sagte , dass die Kinder im Garten spielten , wo die Äpfel gefallen waren .";
static const char danish_text[] =
    "Den gamle mand gik langsomt ned ad gaden med sin hund og tænkte på vejret . "
    "Der var ikke noget , han hellere ville gøre om morgenen end at se på floden . "
    "Når det regnede , blev de i huset og læste , hvad andre havde skrevet . "
    "Hun sagde , at børnene legede i haven , hvor æblerne var faldet ned .";

#endif
